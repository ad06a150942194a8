/// \file
/// How a function is defined, by the text around its name.
#include "utils/analysis/advice/DefinitionForm.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace instantrace;

namespace {

/// Calls it for the name that `@` stands before.
template <class Function> auto atMark(std::string Text, Function *Ask) {
  size_t Offset = Text.find('@');
  Text.erase(Offset, 1);
  size_t LineBegin = Text.rfind('\n', Offset) + 1;
  if (Offset == 0 || Text.rfind('\n', Offset) == Text.npos)
    LineBegin = 0;
  auto Line = static_cast<uint32_t>(
      1 +
      std::count(Text.begin(), Text.begin() + static_cast<long>(Offset), '\n'));
  return Ask(Text, Line, static_cast<uint32_t>(Offset - LineBegin + 1));
}

DefinitionForm formOf(const std::string &Text) {
  return atMark(Text, definitionForm);
}

TEST(DefinitionFormTest, ABodyAfterAPlainName) {
  EXPECT_EQ(formOf("struct X {\n  int @f(int A = g(;)) const { return 1; }"),
            DefinitionForm::HasBody);
  EXPECT_EQ(formOf("template <class T> struct X { @X() : A(1) {} };"),
            DefinitionForm::HasBody);
}

TEST(DefinitionFormTest, ABodyAfterAQualifiedNameIsOutside) {
  EXPECT_EQ(formOf("int V;\ntemplate <class T>\nint X<T>::\n  @f() { }"),
            DefinitionForm::OutsideClass);
  EXPECT_EQ(formOf("template <class T> X<T>::@~X() {}"),
            DefinitionForm::OutsideClass);
}

TEST(DefinitionFormTest, KeywordsAndMacrosSayInline) {
  EXPECT_EQ(formOf("inline int @f() {}"), DefinitionForm::Inline);
  EXPECT_EQ(formOf("template <class T> constexpr\nint X<T>::@f() {}"),
            DefinitionForm::Inline);
  EXPECT_EQ(formOf("EIGEN_STRONG_INLINE int @f() {}"), DefinitionForm::Inline);
  EXPECT_EQ(formOf("auto @f() {}"), DefinitionForm::Inline);
}

TEST(DefinitionFormTest, AFriendThatIsDefinedInItsClassIsInline) {
  EXPECT_EQ(formOf("struct X {\n  friend bool @operator==(X, X) { return 1; }"),
            DefinitionForm::Inline);
  EXPECT_EQ(formOf("struct X { friend void @f(X); };"),
            DefinitionForm::DeclaredOnly);
  EXPECT_EQ(formOf("struct X { friend struct Y; int @f() {} };"),
            DefinitionForm::HasBody);
}

TEST(DefinitionFormTest, WhatIsBeforeTheDeclarationDoesNotCount) {
  EXPECT_EQ(formOf("inline int g();\nint X::@f() {}"),
            DefinitionForm::OutsideClass);
  EXPECT_EQ(formOf("/* not inline */ // nor inline\nint X::@f() {}"),
            DefinitionForm::OutsideClass);
  EXPECT_EQ(formOf("/* a; inline one */ int X::@f() {}"),
            DefinitionForm::OutsideClass);
}

TEST(DefinitionFormTest, ADeclarationHasNoBody) {
  EXPECT_EQ(formOf("struct X { int @f(int); };"), DefinitionForm::DeclaredOnly);
}

TEST(DefinitionFormTest, WhatIsNotThereIsUnknown) {
  EXPECT_EQ(definitionForm("int f() {}", 2, 1), DefinitionForm::Unknown);
  EXPECT_EQ(definitionForm("int f() {}", 1, 11), DefinitionForm::Unknown);
  EXPECT_EQ(definitionForm("int f() {}", 0, 1), DefinitionForm::Unknown);
  EXPECT_EQ(definitionForm("int f() {}", 1, 4), DefinitionForm::Unknown);
  EXPECT_EQ(definitionForm("", 1, 1), DefinitionForm::Unknown);
  EXPECT_EQ(definitionForm("f", 1, 1), DefinitionForm::Unknown);
  EXPECT_EQ(definitionForm("//", 1, 1), DefinitionForm::Unknown);
}

TEST(DefinitionFormTest, OneInlineDeclarationIsEnough) {
  const std::string Body = "template <class T> int @f(T V) { return V; }";
  EXPECT_EQ(formOf("template <class T> inline int f(T V);\n" + Body),
            DefinitionForm::Inline);
  EXPECT_EQ(formOf("inline int g() { auto V = f(1); return f(V); }\n" + Body),
            DefinitionForm::HasBody);
  // There is no declaration of what has internal linkage.
  EXPECT_EQ(formOf("template <class T> static int @f(T V) { return V; }"),
            DefinitionForm::Inline);
}

TEST(DefinitionFormTest, AnotherTemplateHasTheName) {
  const std::string Body = "template <class T> int @f(T V) { return V; }";
  EXPECT_TRUE(atMark(Body, isOnlyTemplate));
  EXPECT_TRUE(
      atMark("template <class T> int f( T V = 3 );\n" + Body, isOnlyTemplate));
  EXPECT_TRUE(atMark("int f(char);\nint I = f(2);\n" + Body, isOnlyTemplate));
  EXPECT_FALSE(
      atMark("template <class T> int f(T *V);\n" + Body, isOnlyTemplate));
}

TEST(DefinitionFormTest, AnExplicitInstantiationHasNoParameters) {
  EXPECT_TRUE(atMark("#include \"x.h\"\ntemplate class @X<int>;",
                     isExplicitInstantiation));
  EXPECT_FALSE(
      atMark("extern template class @X<int>;", isExplicitInstantiation));
  EXPECT_FALSE(
      atMark("template <class T> int @f(T) {}", isExplicitInstantiation));
  EXPECT_FALSE(atMark("int I = @f(1);", isExplicitInstantiation));
}

} // namespace
