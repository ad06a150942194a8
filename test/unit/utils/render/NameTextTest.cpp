/// \file
/// Names with structure, in a style and to a width.
#include "utils/render/NameText.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

using Ids = std::vector<uint32_t>;
const std::string E = "\xe2\x80\xa6"; // …
const std::string M(1, '\0');

/// 4: A<B<int>>::f<long>; heads are marked.
Dictionary nested() {
  Dictionary D;
  D.add("A<", Ids{}, NamePart::TemplateHead);
  D.add("B<", Ids{}, NamePart::TemplateHead);
  D.add(M + "int>", Ids{2});
  D.add(M + M + ">", Ids{1, 3});
  D.add(M + "::f<", Ids{4}, NamePart::TemplateHead);
  D.add(M + "long>", Ids{5});
  return D;
}

TEST(NameTextTest, TheDeepestArgumentsThatFitAreShown) {
  Dictionary D = nested();
  EXPECT_EQ(elidedName(D, {{6}}, {}, 20), "A<B<int>>::f<long>");
  EXPECT_EQ(elidedName(D, {{6}}, {}, 18), "A<B<int>>::f<long>");
  EXPECT_EQ(elidedName(D, {{6}}, {}, 17), "A<B<" + E + ">>::f<long>");
  EXPECT_EQ(elidedName(D, {{6}}, {}, 16), "A<B<" + E + ">>::f<long>");
  EXPECT_EQ(elidedName(D, {{6}}, {}, 15), "A<" + E + ">::f<" + E + ">");
  EXPECT_EQ(elidedName(D, {{6}}, {}, 10), "A<" + E + ">::f<" + E + ">");
}

TEST(NameTextTest, ThenTheBeginGivesWay) {
  EXPECT_EQ(elidedName(nested(), {{6}}, {}, 9), E + "::f<" + E + ">");
  EXPECT_EQ(elidedName(nested(), {{6}}, {}, 0), E);
}

TEST(NameTextTest, AFlatNameIsShortenedByItsBrackets) {
  Dictionary D;
  D.add("std::vector<std::pair<int, long>>::at", Ids{});
  EXPECT_EQ(elidedName(D, {{1}}, {}, 36),
            "std::vector<std::pair<" + E + ">>::at");
}

TEST(NameTextTest, AStyleLimitsTheDepth) {
  NameStyle Shallow;
  Shallow.MaxDepth = 1;
  EXPECT_EQ(elidedName(nested(), {{6}}, Shallow, 100),
            "A<B<" + E + ">>::f<long>");
  NameStyle Bare;
  Bare.Arguments = false;
  EXPECT_EQ(elidedName(nested(), {{6}}, Bare, 100), "A::f");
}

TEST(NameTextTest, ControlCharactersTakeTheColumnsTheyShow) {
  Dictionary D;
  D.add("a\nb", Ids{});
  EXPECT_EQ(elidedName(D, {{1}}, {}, 6), "a\\x0ab");
  EXPECT_EQ(elidedName(D, {{1}}, {}, 5), E + "x0ab");
}

/// 2^60 bytes on 60 levels: shown by those that fit.
TEST(NameTextTest, AnEnormousNameIsShownAtOnce) {
  Dictionary D;
  D.add("P<", Ids{}, NamePart::TemplateHead);
  D.add("int", Ids{});
  for (uint32_t I = 2; I != 62; ++I)
    D.add(M + M + ", " + M + ">", Ids{1, I, I});
  EXPECT_EQ(elidedName(D, {{62}}, {}, 20), "P<P<" + E + ">, P<" + E + ">>");
}

TEST(NameTextTest, APrefixIsShownLikeAName) {
  Dictionary D = nested();
  D.add(M + "::g", Ids{4});
  EXPECT_EQ(elidedName(D, {{7}, 1}, {}, 100), "A<B<int>>");
  EXPECT_EQ(elidedName(D, {{7}, 1}, {}, 5), "A<" + E + ">");
  EXPECT_EQ(D.prefixKey({{7}, 1}), D.key({4}));
}

} // namespace
