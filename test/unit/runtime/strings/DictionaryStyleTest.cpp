/// \file
/// What a style shows of a name: by the parts that entries are marked as.
#include "runtime/strings/Dictionary.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

using Ids = std::vector<uint32_t>;
const std::string Nul(1, '\0');
constexpr auto Head = NamePart::TemplateHead;

/// vector<pair<int, less<>>, allocator<pair<int, less<>>>>::push_back(int)
class DictionaryStyle : public testing::Test {
protected:
  DictionaryStyle() {
    add("std::", {});                                            // 1
    add(Nul + "vector<", {1}, Head);                             // 2
    add(Nul + "pair<", {1}, Head);                               // 3
    add(Nul + "less<", {1}, Head);                               // 4
    add("void", {}, NamePart::DefaultArguments);                 // 5
    Less = add(Nul + Nul + ">", {4, 5});                         // 6
    Pair = add(Nul + "int, " + Nul + ">", {3, Less});            // 7
    add(Nul + "allocator<", {1}, Head);                          // 8
    add(Nul + Nul + ">", {8, Pair});                             // 9
    add(", " + Nul, {9}, NamePart::DefaultArguments);            // 10
    Vector = add(Nul + Nul + Nul + ">", {2, Pair, 10});          // 11
    Parameters = add("(int)", {}, NamePart::Parameters);         // 12
    Push = add(Nul + "::push_back" + Nul, {Vector, Parameters}); // 13
  }
  uint32_t add(const std::string &MarkedName, const Ids &Markers,
               NamePart Part = NamePart::Text) {
    D.add(MarkedName, Markers, Part);
    return D.size();
  }
  std::string shown(uint32_t Id, const NameStyle &Style) {
    return D.text({Id}, Style, 1000);
  }

  Dictionary D;
  uint32_t Less, Pair, Vector, Parameters, Push;
};

TEST_F(DictionaryStyle, HidesDefaultArgumentsAndParametersByDefault) {
  EXPECT_EQ(shown(Push, {}), "std::vector<std::pair<int, std::less<>>>"
                             "::push_back");
}

TEST_F(DictionaryStyle, ShowsEachPartOnRequest) {
  NameStyle Style;
  Style.Parameters = true;
  EXPECT_EQ(shown(Push, Style), "std::vector<std::pair<int, std::less<>>>"
                                "::push_back(int)");
  EXPECT_EQ(shown(Push, NameStyle::whole()),
            "std::vector<std::pair<int, std::less<void>>, "
            "std::allocator<std::pair<int, std::less<void>>>>"
            "::push_back(int)");
  EXPECT_EQ(shown(Push, NameStyle::whole()), D.text({Push}, 1000));
}

TEST_F(DictionaryStyle, WithoutArgumentsTheBracketsGoToo) {
  NameStyle Style;
  Style.Arguments = false;
  EXPECT_EQ(shown(Push, Style), "std::vector::push_back");
  EXPECT_EQ(shown(Less, Style), "std::less");
  Style.Parameters = true;
  EXPECT_EQ(shown(Push, Style), "std::vector::push_back(int)");
}

TEST_F(DictionaryStyle, DeepArgumentsBecomeAnEllipsis) {
  NameStyle Style;
  Style.MaxDepth = 0;
  EXPECT_EQ(shown(Push, Style), "std::vector<…>::push_back");
  Style.MaxDepth = 1;
  EXPECT_EQ(shown(Push, Style), "std::vector<std::pair<…>>::push_back");
  Style.MaxDepth = 2;
  EXPECT_EQ(shown(Push, Style),
            "std::vector<std::pair<int, std::less<>>>::push_back");
  Style.DefaultArguments = true;
  EXPECT_EQ(shown(Push, Style), "std::vector<std::pair<int, std::less<…>>, "
                                "std::allocator<std::pair<…>>>::push_back");
}

// What would be elided is nothing, so there is nothing to elide.
TEST_F(DictionaryStyle, AnEmptyListStaysEmpty) {
  NameStyle Style;
  Style.MaxDepth = 0;
  EXPECT_EQ(shown(Less, Style), "std::less<>");
  Style.DefaultArguments = true;
  EXPECT_EQ(shown(Less, Style), "std::less<…>");
  uint32_t Empty = add("", {});
  EXPECT_EQ(shown(add(Nul + Nul + ">", {4, Empty}), Style), "std::less<>");
  EXPECT_EQ(shown(add(Nul + ">", {4}), Style), "std::less<>");
}

// A member template of a class template has two lists, both of depth 0.
TEST_F(DictionaryStyle, ScopesDoNotNest) {
  uint32_t Rebind = add(Nul + "::rebind<", {Pair}, Head);
  uint32_t Name = add(Nul + "char>", {Rebind});
  NameStyle Style;
  Style.MaxDepth = 0;
  EXPECT_EQ(shown(Name, Style), "std::pair<…>::rebind<…>");
  Style.MaxDepth = 1;
  EXPECT_EQ(shown(Name, Style), "std::pair<int, std::less<>>::rebind<char>");
  Style.Arguments = false;
  EXPECT_EQ(shown(Name, Style), "std::pair::rebind");
}

// Brackets that are no template arguments stay, and hide nothing.
TEST_F(DictionaryStyle, OperatorsAndCharactersAreNoBrackets) {
  uint32_t Less = add("operator<", {});
  uint32_t LessHead = add("operator<<", {}, Head);
  uint32_t LessInt = add(Nul + "int>", {LessHead});
  uint32_t CharHead = add("Char<", {}, Head);
  uint32_t Char = add(Nul + "'>'>", {CharHead});
  uint32_t Arrow = add(Nul + "::operator->", {Char});
  NameStyle Style;
  Style.Arguments = false;
  EXPECT_EQ(shown(Less, Style), "operator<");
  EXPECT_EQ(shown(LessInt, Style), "operator<");
  EXPECT_EQ(shown(Arrow, Style), "Char::operator->");
  Style.Arguments = true;
  Style.MaxDepth = 0;
  EXPECT_EQ(shown(LessInt, Style), "operator<<…>");
  EXPECT_EQ(shown(Arrow, Style), "Char<…>::operator->");
}

TEST_F(DictionaryStyle, AHeadElsewhereIsText) {
  NameStyle Style;
  Style.Arguments = false;
  // Not first, not closed, not opening, not there.
  EXPECT_EQ(shown(add(Nul + Nul + "int>", {1, 2}), Style),
            "std::std::vector<int>");
  EXPECT_EQ(shown(add(Nul + "int", {2}), Style), "std::vector<int");
  uint32_t NoBracket = add("f", {}, Head);
  EXPECT_EQ(shown(add(Nul + "int>", {NoBracket}), Style), "fint>");
  uint32_t Empty = add("", {}, Head);
  EXPECT_EQ(shown(add(Nul + "int>", {Empty}), Style), "int>");
  uint32_t Indirect = add(Nul, {2}, Head);
  EXPECT_EQ(shown(add(Nul + "int>", {Indirect}), Style), "std::vector<int>");
  EXPECT_FALSE(D.entry({D.size()}).HasArguments);
  EXPECT_TRUE(D.entry({Vector}).HasArguments);
}

TEST_F(DictionaryStyle, AHiddenEntryIsShownWhenItIsAskedFor) {
  EXPECT_EQ(shown(Parameters, {}), "(int)");
  EXPECT_EQ(shown(10, {}), ", std::allocator<std::pair<int, std::less<>>>");
}

// So that what is grouped does not depend on what is shown.
TEST_F(DictionaryStyle, KeysAreOverDefaultArgumentsWithoutParameters) {
  NameStyle Keyed;
  Keyed.DefaultArguments = true;
  EXPECT_EQ(D.key({Push}), Dictionary::keyOf(shown(Push, Keyed)));
  uint32_t Other = add("(char)", {}, NamePart::Parameters);
  uint32_t Overload = add(Nul + "::push_back" + Nul, {Vector, Other});
  EXPECT_EQ(D.key({Overload}), D.key({Push}));
  EXPECT_EQ(D.key({Parameters}), Dictionary::keyOf("(int)"));
}

TEST_F(DictionaryStyle, SizesAreOfTheWholeText) {
  EXPECT_EQ(D.sizeBytes({Push}), shown(Push, NameStyle::whole()).size());
  EXPECT_EQ(D.sizeBytes({0}), 0u);
  EXPECT_EQ(D.sizeBytes({D.size() + 1}), 0u);
}

TEST_F(DictionaryStyle, TheLimitCountsWhatIsShown) {
  NameStyle Style;
  Style.MaxDepth = 0;
  std::string Out;
  EXPECT_TRUE(D.expand({Push}, Style, Out, 27));
  EXPECT_EQ(Out, "std::vector<…>::push_back");
  Out.clear();
  EXPECT_FALSE(D.expand({Push}, Style, Out, 26));
  EXPECT_EQ(Out, "std::vector<…>::push_bac…");
  Out.clear();
  EXPECT_FALSE(D.expand({Push}, Style, Out, 13));
  EXPECT_EQ(Out, "std::vector<…");
}

TEST_F(DictionaryStyle, DeepNestingIsElidedAnywhere) {
  uint32_t Box = add("Box<", {}, Head), Id = add("int", {});
  for (int I = 0; I != 100'000; ++I)
    Id = add(Nul + Nul + ">", {Box, Id});
  NameStyle Style;
  Style.MaxDepth = 3;
  EXPECT_EQ(shown(Id, Style), "Box<Box<Box<Box<…>>>>");
  Style.MaxDepth = 100'000;
  EXPECT_EQ(D.text({Id}, Style, 1 << 20).size(), 500'003u);
}

TEST_F(DictionaryStyle, GivesEntriesAsTheyAreInTheFile) {
  Dictionary::EntryView E = D.entry({Push});
  EXPECT_EQ(E.MarkedName, Nul + "::push_back" + Nul);
  EXPECT_EQ(Ids(E.Markers.begin(), E.Markers.end()), (Ids{Vector, Parameters}));
  EXPECT_EQ(E.Part, NamePart::Text);
  EXPECT_EQ(D.entry({1}).MarkedName, "std::");
  EXPECT_EQ(D.entry({Parameters}).Part, NamePart::Parameters);
}

} // namespace
