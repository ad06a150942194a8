// pkg: libboost1.74-dev   std: c++17   the file that `utils/dev demo` profiles
//
// A configuration-file parser in Boost.Spirit.Qi: forty lines of grammar that
// cost Clang seconds, nearly all of it in templates.
#include <boost/fusion/include/adapt_struct.hpp>
#include <boost/spirit/include/phoenix.hpp>
#include <boost/spirit/include/qi.hpp>
#include <boost/variant.hpp>
#include <string>
#include <vector>

namespace qi = boost::spirit::qi;

namespace config {

struct List;
using Value = boost::variant<bool, long, double, std::string,
                             boost::recursive_wrapper<List>>;
struct List {
  std::vector<Value> Items;
};
struct Setting {
  std::string Key;
  Value Content;
};
struct Section {
  std::string Name;
  std::vector<Setting> Settings;
};

} // namespace config

BOOST_FUSION_ADAPT_STRUCT(config::List, (std::vector<config::Value>, Items))
BOOST_FUSION_ADAPT_STRUCT(config::Setting,
                          (std::string, Key)(config::Value, Content))
BOOST_FUSION_ADAPT_STRUCT(config::Section,
                          (std::string,
                           Name)(std::vector<config::Setting>, Settings))

namespace config {

template <class Iterator> struct Skipper : qi::grammar<Iterator> {
  Skipper() : Skipper::base_type(Start) {
    Start = qi::space | ('#' >> *(qi::char_ - qi::eol) >> qi::eol);
  }
  qi::rule<Iterator> Start;
};

template <class Iterator>
struct Grammar
    : qi::grammar<Iterator, std::vector<Section>(), Skipper<Iterator>> {
  template <class Attribute>
  using Rule = qi::rule<Iterator, Attribute(), Skipper<Iterator>>;

  Grammar() : Grammar::base_type(File) {
    using namespace qi;
    Escape.add("\\n", '\n')("\\t", '\t')("\\\"", '"')("\\\\", '\\');
    Key %= lexeme[(alpha | char_('_')) >> *(alnum | char_("_.-"))];
    Text %= lexeme['"' >> *(Escape | (char_ - '"' - '\\')) >> '"'];
    Items %= '[' >> -(Any % ',') >> ']';
    Any %= bool_ | Real | long_ | Text | Items;
    One %= Key >> '=' >> Any >> ';';
    Block %= "section" >> Key >> '{' >> *One >> '}';
    File %= *Block >> eoi;
    on_error<fail>(File, boost::phoenix::ref(Failed) = true);
  }

  bool Failed = false;
  qi::real_parser<double, qi::strict_real_policies<double>> Real;
  qi::symbols<char const, char const> Escape;
  Rule<std::string> Key, Text;
  Rule<List> Items;
  Rule<Value> Any;
  Rule<Setting> One;
  Rule<Section> Block;
  Rule<std::vector<Section>> File;
};

bool read(const std::string &Source, std::vector<Section> &Out) {
  using Iterator = std::string::const_iterator;
  Iterator Begin = Source.begin();
  Grammar<Iterator> Rules;
  return qi::phrase_parse(Begin, Source.end(), Rules, Skipper<Iterator>(),
                          Out) &&
         !Rules.Failed;
}

} // namespace config
