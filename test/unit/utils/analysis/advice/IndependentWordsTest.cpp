/// \file
/// How much of a body names no template parameter, by its text.
#include "utils/analysis/advice/IndependentWords.h"

#include <array>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

using namespace instantrace;

namespace {

/// Of the function whose name begins at `@`, which is left out.
std::optional<double> shareOf(std::string Text) {
  const size_t Place = Text.find('@');
  Text.erase(Place, 1);
  const size_t LineBegin = Text.rfind('\n', Place) + 1; // 0: there is none
  return independentWords(
      Text,
      static_cast<uint32_t>(
          1 + std::count(Text.begin(),
                         Text.begin() + static_cast<ptrdiff_t>(Place), '\n')),
      static_cast<uint32_t>(Place - LineBegin + 1));
}

TEST(IndependentWordsTest, StatementsThatNameNoParameter) {
  EXPECT_EQ(shareOf("template <class T> int @f(T V) {\n"
                    "  a(b, c); // T\n  d(V);\n  e(\"T\");\n}"),
            4.0 / 6);
  EXPECT_EQ(shareOf("template <class T> int @f(T) { return g(); }"), 1);
  EXPECT_EQ(shareOf("template <class T> int @f() { return sizeof(T); }"), 0);
}

TEST(IndependentWordsTest, WhatIsDeclaredWithAParameterDependsOnIt) {
  EXPECT_EQ(shareOf("template <class T, int N = 3> struct A {\n"
                    "  std::array<T, 4> Member; int Plain;\n"
                    "  void @f() { auto &[X, Y] = Member; g(X); h(Plain); }\n"
                    "};"),
            2.0 / 8);
  EXPECT_EQ(shareOf("template <class... Ts> void @f(const Ts &...All) {\n"
                    "  g(All...); h(Other);\n}"),
            2.0 / 4);
}

TEST(IndependentWordsTest, ALoopIsOneStatement) {
  EXPECT_EQ(shareOf("template <class T> void @f(int N) {\n"
                    "  for (int I; I < N;) { g(I); if (h(I)) { k(T()); } }\n"
                    "  while (l()) m();\n  n(o);\n}"),
            5.0 / 17);
}

TEST(IndependentWordsTest, WhatOtherFunctionsDeclareIsNoneOfIts) {
  EXPECT_EQ(shareOf("template <class T> void g(T A) { T B = A; }\n"
                    "template <class T> void @f(T C) { h(A, B, C); h(A, B); }"),
            3.0 / 7);
}

TEST(IndependentWordsTest, ADefinitionMayBeElsewhere) {
  EXPECT_EQ(shareOf("template <class T> struct A { T M; int @f(); };\n"
                    "int x = y::f();\n"
                    "template <class T> int A<T>::f() { g(); return M; }"),
            1.0 / 3);
}

TEST(IndependentWordsTest, NothingIsSaidWithoutABody) {
  EXPECT_EQ(shareOf("template <class T> void @f(T);\nvoid g() {}"),
            std::nullopt);
  EXPECT_EQ(independentWords("template <class T> void f() {}", 1, 100),
            std::nullopt);
}

} // namespace
