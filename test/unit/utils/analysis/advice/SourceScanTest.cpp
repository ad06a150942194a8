/// \file
/// What a source declares, names and includes, by its text.
#include "utils/analysis/advice/SourceScan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace instantrace;

namespace {

using Texts = std::vector<std::string>;

class SourceScanTest : public testing::Test {
protected:
  SourceScan scan(std::string_view Text) { return scanSource(Text, Words); }
  /// In the order of the text.
  Texts declared(std::string_view Text) {
    Texts Names;
    for (const SourceScan::Declaration &D : scan(Text).Declarations)
      Names.push_back(Words.word(D.Word));
    return Names;
  }
  Texts mentioned(std::string_view Text, bool ByDefinition = false) {
    Texts Names;
    for (const SourceScan::Mention &M : scan(Text).Mentions)
      if (M.NeedsDefinition || !ByDefinition)
        Names.push_back(Words.word(M.Word));
    return Names;
  }

  WordTable Words;
};

TEST_F(SourceScanTest, DeclaresWhatIsOutsideOfClassesAndFunctions) {
  EXPECT_EQ(declared("namespace a { inline namespace b {\n"
                     "class A : public B { int Member; void f(); };\n"
                     "template <class T, int N = 3> struct C final {};\n"
                     "enum class D : int { X };\n"
                     "int e(int Parameter) { int Local = 1; return Local; }\n"
                     "extern int F;\n"
                     "template <class T> inline constexpr bool G = true;\n"
                     "} }\n"
                     "extern \"C\" { void h(void); }\n"),
            (Texts{"A", "C", "D", "e", "F", "G", "h"}));
}

TEST_F(SourceScanTest, DeclaresAliasesEnumeratorsAndMacros) {
  EXPECT_EQ(declared("typedef basic<char> A;\n"
                     "using B = basic<int>;\n"
                     "using std::c;\n"
                     "using namespace std;\n"
                     "enum { D, E = 3 };\n"
                     "#define F(x) \\\n  g(x)\n"),
            (Texts{"A", "B", "c", "D", "E", "F"}));
}

TEST_F(SourceScanTest, WhatIsInternalIsDeclaredForNobody) {
  EXPECT_EQ(declared("namespace lib { namespace detail { class A {}; }\n"
                     "class B {}; }"),
            Texts{"B"});
}

TEST_F(SourceScanTest, CommentsLiteralsAndNumbersNameNothing) {
  EXPECT_EQ(mentioned("// A\n/* B */ \"C\\\" C\" 'D' R\"x(E)\" )x\" 1'000u F"),
            Texts{"F"});
}

TEST_F(SourceScanTest, WhatIsBehindAStarNeedsNoDefinition) {
  EXPECT_EQ(mentioned("class A; B *f(C const &, D &&, E);", true),
            (Texts{"f", "E"}));
}

TEST_F(SourceScanTest, AFunctionWithItsBodyNeedsWhatItTakes) {
  EXPECT_EQ(mentioned("A &f(B &);\nvoid g(C &X) { h(X); }", true),
            (Texts{"f", "g", "C", "X", "h", "X"}));
  EXPECT_EQ(
      mentioned("class A { B &f(C *); void g(D &) const {} E *Next; };", true),
      (Texts{"A", "f", "g", "D", "Next"}));
  EXPECT_EQ(mentioned("A EXPORT &operator<<(A &, B const &);", true), Texts{});
}

TEST_F(SourceScanTest, WhoCallsAFunctionHasWhatItGives) {
  const SourceScan Scan =
      scan("class A { B &f(C &); friend D &operator<<(D &, A &); };");
  Texts Results;
  for (const SourceScan::Mention &M : Scan.Mentions)
    if (M.IsResult)
      Results.push_back(Words.word(M.Word));
  EXPECT_EQ(Results, Texts{"B"});
}

TEST_F(SourceScanTest, MembersAreDeclaredAndInitialized) {
  const SourceScan Scan = scan("class A { B time(C); A(int C) : read(C) {} };\n"
                               "int f() { D close(E); }");
  for (const SourceScan::Mention &M : Scan.Mentions) {
    const std::string &Word = Words.word(M.Word);
    if (Word == "time")
      EXPECT_TRUE(M.IsDeclarator);
    if (Word == "close")
      EXPECT_FALSE(M.IsDeclarator) << "`D` may be a macro";
    if (Word == "read")
      EXPECT_FALSE(M.IsCalled);
  }
}

TEST_F(SourceScanTest, AFunctionUsesANamespaceToo) {
  const SourceScan Scan = scan("using namespace a::b;\n"
                               "int main() { using namespace c; return d(); }");
  Texts Used;
  for (uint32_t Word : Scan.UsedNamespaces)
    Used.push_back(Words.word(Word));
  EXPECT_EQ(Used, (Texts{"b", "c"}));
}

TEST_F(SourceScanTest, ParametersOfAMacroNameNothing) {
  EXPECT_EQ(mentioned("#define A(b, c) d(b, c, e)\n#define F (g)"),
            (Texts{"d", "e", "g"}));
}

TEST_F(SourceScanTest, AnAliasHasWhatItIsMadeOf) {
  SourceScan Scan = scan("int x; using A = B<C>;");
  ASSERT_EQ(Scan.Declarations.size(), 2u);
  const SourceScan::Declaration &Alias = Scan.Declarations[1];
  EXPECT_TRUE(Alias.IsAlias);
  Texts Inside;
  for (uint32_t Index = Alias.FirstMention; Index != Alias.EndMention; ++Index)
    Inside.push_back(Words.word(Scan.Mentions[Index].Word));
  EXPECT_EQ(Inside, (Texts{"A", "B", "C"}));
}

TEST_F(SourceScanTest, AnAliasBehindItsConstraintDeclaresNoParameter) {
  SourceScan Scan = scan("template <class T> requires A<T> && (B<T> == 0)\n"
                         "using Other = T;");
  ASSERT_EQ(Scan.Declarations.size(), 1u);
  EXPECT_EQ(Words.word(Scan.Declarations[0].Word), "Other");
  EXPECT_TRUE(Scan.Declarations[0].IsAlias);
}

TEST_F(SourceScanTest, IncludesAreNamedWithTheirLines) {
  SourceScan Scan =
      scan("#include <a/b.h>\n  /* x */\n#  include \"c.h\" // d\n"
           "#include MACRO\n// #include <no>\n");
  ASSERT_EQ(Scan.Includes.size(), 2u);
  EXPECT_EQ(Scan.Includes[0].Name, "a/b.h");
  EXPECT_EQ(Scan.Includes[0].LineNo, 1u);
  EXPECT_EQ(Scan.Includes[1].Name, "c.h");
  EXPECT_EQ(Scan.Includes[1].LineNo, 3u);
}

TEST_F(SourceScanTest, AFileMaySayThatItIsPrivate) {
  EXPECT_TRUE(scan("// IWYU pragma: private, include \"a.h\"\n").IsPrivate);
  EXPECT_FALSE(scan("int X;\n").IsPrivate);
}

// None of these is a whole program; all end.
TEST_F(SourceScanTest, AnyTextEnds) {
  for (std::string_view Text : {"",
                                "#",
                                "\"",
                                "'",
                                "R\"",
                                "R\"x(",
                                "/*",
                                "}}}}",
                                "{{{{",
                                "#define",
                                "#define X",
                                "template",
                                "template <",
                                "using",
                                "typedef",
                                "#include <",
                                "1'",
                                "class",
                                "namespace {",
                                "\\",
                                "#define A \\",
                                "L'",
                                "enum {,"})
    scan(Text);
}

// Whoever declares a function is not linked without the file that has its body.
TEST_F(SourceScanTest, BodiesAreOfWhatOthersDeclare) {
  auto texts = [this](const std::vector<uint32_t> &Numbers) {
    Texts Names;
    for (uint32_t Number : Numbers)
      Names.push_back(Words.word(Number));
    return Names;
  };
  SourceScan Scan = scan(
      "namespace a { namespace detail { bool f(int); struct A { void g(); };"
      " } class B; template <class T> struct C : D {}; }\n");
  EXPECT_EQ(texts(Scan.Promised), (Texts{"f", "A", "C"}));
  EXPECT_TRUE(Scan.Defined.empty());
  Scan =
      scan("namespace a { namespace detail { inline bool f(int) { return 1; }"
           " void A::g() {} } template <class T> C<T>::C(int I) : D(I) {} }");
  EXPECT_EQ(texts(Scan.Defined), (Texts{"f", "A", "C"}));
  EXPECT_TRUE(Scan.Promised.empty());
}

TEST_F(SourceScanTest, AGuardIsNoName) {
  EXPECT_EQ(mentioned("#ifndef atomic\n#define atomic\nint A;\n#endif\n"),
            Texts{"A"});
  EXPECT_EQ(declared("#ifndef atomic\n#define atomic\nint A;\n#endif\n"),
            Texts{"A"});
  EXPECT_EQ(mentioned("#ifndef atomic\nint A;\n#endif\n"),
            (Texts{"A", "atomic"}))
      << "it asks for what another file defines";
  EXPECT_EQ(mentioned("#error needs atomic\n#if __has_include(<atomic>)\n"
                      "#pragma omp atomic\n"),
            Texts{});
}

TEST_F(SourceScanTest, AnErrorBeforeAnyIncludeNamesTheMacroThatIsNeeded) {
  auto needed = [this](const std::string &Text) {
    Texts Names;
    for (uint32_t Word : scan("#ifndef A_H\n#define A_H\n" + Text).NeededMacros)
      Names.push_back(Words.word(Word));
    return Names;
  };
  EXPECT_EQ(needed("#if !defined(INSIDE)\n#  error \"Include <all>\"\n#endif"),
            Texts{"INSIDE"});
  EXPECT_EQ(needed("#ifndef INSIDE\n#error x\n#endif"), Texts{"INSIDE"});
  EXPECT_EQ(needed("#ifdef INSIDE\n#error nested\n#endif"), Texts{});
  EXPECT_EQ(needed("#include \"config.h\"\n#ifndef X\n#error x\n#endif"),
            Texts{})
      << "what it includes may define it";
  EXPECT_EQ(needed("#if !defined(A) && !defined(B)\n#error x\n#endif"),
            Texts{});
}

} // namespace
