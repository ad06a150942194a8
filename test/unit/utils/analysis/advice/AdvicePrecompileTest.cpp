/// \file
/// Advice about system headers that a target's compiles read again and again.
#include "test/unit/support/HeaderUnits.h"
#include "utils/analysis/advice/BuildTarget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

namespace {

struct UnitForm {
  std::string Object = "CMakeFiles/t.dir/a.o";
  uint64_t VectorNs = 1000; ///< of vector, with 100 more in what it includes
  bool ReadsMap = false;    ///< 300 ns
  bool IsOwn = false;       ///< the headers are no system headers
  bool HasPch = false;
  std::vector<std::string> Argv = {}; ///< the input is a.cpp
  std::string MapFolder = "/usr/include/c++/12/";
  uint64_t LateNs = 0; ///< of a body that bits.h asks for; as much for a.cpp
};

/// a.cpp includes <vector>, which includes bits.h, where 50 ns go to a class.
std::string unit(uint32_t Id, const UnitForm &Form = {}) {
  AdviceBuilder B(Id, "a.cpp");
  B.object(Form.Object, Form.HasPch ? "x.pch" : "");
  B.argv(Form.Argv);
  const std::string Folder = "/usr/include/c++/12/";
  B.inclusion("a.cpp", 0, false);
  B.inclusion(Folder + "vector", 1, !Form.IsOwn);
  B.inclusion(Folder + "bits.h", 2, !Form.IsOwn);
  B.inclusion(Form.MapFolder + "map", 1, !Form.IsOwn);
  uint32_t Main = B.entity("a.cpp", "", proto::ENTITY_FILE);
  uint32_t Vector = B.entity(Folder + "vector", "", proto::ENTITY_FILE);
  uint32_t Bits = B.entity(Folder + "bits.h", "", proto::ENTITY_FILE);
  uint32_t Map = B.entity(Form.MapFolder + "map", "", proto::ENTITY_FILE);
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  uint32_t InMain = B.location("a.cpp", 3);
  uint32_t InVector = B.location(Folder + "vector", 8);
  B.begin(EventKind::Frontend);
  B.begin(EventKind::FileInclusion, Main);
  B.begin(EventKind::FileInclusion, Vector, InMain);
  B.begin(EventKind::FileInclusion, Bits, InVector);
  const uint32_t Asker = B.begin(EventKind::TemplateInstantiation, X);
  B.endDefinition(50);
  B.end(50);
  B.end(Form.VectorNs);
  if (Form.ReadsMap)
    B.leaf(EventKind::FileInclusion, Map, 300, InMain);
  B.end(5000);
  if (Form.LateNs != 0) {
    uint32_t Body = B.entity("X<int>::f", "X<$>::f", proto::ENTITY_FUNCTION);
    B.beginLate(Body, Asker, InMain);
    B.endDefinition(Form.LateNs);
    B.leaf(EventKind::TemplateInstantiation, Body, Form.LateNs, InMain);
  }
  B.end(0);
  return B.bytes();
}

/// Of "a.cpp", with system headers below /usr/.
std::string reading(uint32_t Id, const std::vector<ReadFile> &Headers) {
  return unitOf(Id, {"a.cpp", 1, Headers});
}

Advised precompile(const std::string &Bytes) {
  return advise(read(Bytes), AdviceKind::Precompile);
}

TEST(AdvicePrecompileTest, AllButOneReadingIsSavedLessWhatLoadingTakes) {
  Advised Report = precompile(unit(1) + unit(2) + unit(3));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Saves.MostNs, 3 * 1100u - 1100u);
  EXPECT_EQ(S.Saves.EstimateNs, uint64_t(3 * 1100 * 0.85) - 1100u);
  EXPECT_EQ(S.Saves.LeastNs, uint64_t(3 * 1050 * 0.85) - 1100u)
      << "without what is instantiated in them";
  EXPECT_EQ(S.Snippet, "target_precompile_headers(t PRIVATE\n  <vector>)")
      << "bits.h comes with it";
  EXPECT_EQ(evidence(S, "compiles include"), 3u);
}

TEST(AdvicePrecompileTest, CMakeHasItInstantiateBodiesThatItAsksFor) {
  UnitForm Late;
  Late.LateNs = 400;
  auto estimate = [&] {
    return precompile(unit(1, Late) + unit(2, Late) + unit(3, Late))
        .Suggestions.at(0)
        .Saves.EstimateNs;
  };
  EXPECT_EQ(estimate(), uint64_t(3 * 1500 * 0.85) - 1500u);
  Late.Object = "other/u.p/x.o";
  EXPECT_EQ(estimate(), uint64_t(3 * 1100 * 0.85) - 1100u) << "not so Meson";
}

TEST(AdvicePrecompileTest, CMakeWritesFoldersAboveInItsOwnWay) {
  EXPECT_EQ(cmakeSource("p/CMakeFiles/t.dir/__/__/src/a.cpp.o"),
            "../../src/a.cpp");
  EXPECT_EQ(cmakeSource("CMakeFiles/t.dir/src/a.cpp.o"), "src/a.cpp");
  EXPECT_EQ(cmakeSource("CMakeFiles/t.dir/Unity/unity_0_cxx.cxx.o"), "");
}

TEST(AdvicePrecompileTest, TwoCompilesAreTooFew) {
  EXPECT_TRUE(precompile(unit(1) + unit(2)).Suggestions.empty());
}

TEST(AdvicePrecompileTest, AHeaderThatHalfReadIsInIt) {
  UnitForm Map;
  Map.ReadsMap = true;
  std::string Others = unit(1) + unit(2);
  EXPECT_EQ(precompile(Others + unit(3, Map) + unit(4, Map))
                .Suggestions.at(0)
                .Snippet,
            "target_precompile_headers(t PRIVATE\n  <vector>\n  <map>)");
  EXPECT_EQ(
      precompile(Others + unit(3) + unit(4, Map)).Suggestions.at(0).Snippet,
      "target_precompile_headers(t PRIVATE\n  <vector>)");
}

TEST(AdvicePrecompileTest, LibrariesAreToldApart) {
  auto librariesOf = [](const UnitForm &Form) {
    Advised Report = precompile(unit(1, Form) + unit(2, Form) + unit(3, Form));
    std::vector<std::string> Libraries;
    for (const AdviceEvidence &E : Report.Suggestions.at(0).Evidence)
      if (E.What == "of them of the library")
        Libraries.push_back(E.Name.Text.text() + " " + std::to_string(E.Count) +
                            " " + std::to_string(E.Ns.value_or(0)));
    return Libraries;
  };
  UnitForm Map;
  Map.ReadsMap = true;
  EXPECT_TRUE(librariesOf(Map).empty()) << "there is one";
  Map.MapFolder = "/usr/include/boost/";
  EXPECT_EQ(librariesOf(Map),
            (std::vector<std::string>{"c++ 1 3300", "boost 1 900"}));
}

TEST(AdvicePrecompileTest,
     OwnHeadersAreInItIfNearlyAllReadThemAndTheyAreGuarded) {
  UnitForm Own;
  Own.IsOwn = true;
  auto snippet = [](const std::string &Bytes, const char *Text,
                    const char *Main = "#include <vector>\n") {
    Advised Report = advise(read(Bytes), AdviceKind::Precompile,
                            sourcesOf({{"a.cpp", Main},
                                       {"/usr/include/c++/12/vector", Text},
                                       {"/usr/include/c++/12/bits.h", ""}}));
    return Report.Suggestions.empty() ? "" : Report.Suggestions[0].Snippet;
  };
  const std::string Bytes = unit(1, Own) + unit(2, Own) + unit(3, Own);
  const char *Guarded = "#ifndef V\n#define V\nint v(MODE);\n#endif\n";
  const std::string Expected =
      "target_precompile_headers(t PRIVATE\n  <vector>)";
  EXPECT_EQ(snippet(Bytes, Guarded), Expected);
  EXPECT_EQ(snippet(Bytes, "// x\n#if !defined(V)\n#define V\n#endif\n"),
            Expected);
  EXPECT_EQ(snippet(Bytes, "#pragma once\nint v();\n"), Expected);
  EXPECT_EQ(snippet(Bytes, "X(1)\n#ifndef V\n#define V\n#endif\n"), "")
      << "read twice";
  // What a main file defines for it cannot be in a precompiled header.
  EXPECT_EQ(snippet(Bytes, Guarded, "#define MODE 1\n\n#include <vector>\n"),
            "");
  EXPECT_EQ(snippet(Bytes, Guarded, "#define OTHER 1\n\n#include <vector>\n"),
            Expected);
  EXPECT_EQ(snippet(Bytes, Guarded, "\n\n#include <vector>\n#define MODE 1\n"),
            Expected);
}

TEST(AdvicePrecompileTest, AnOwnHeaderIsThereByWhatItSaves) {
  std::string Bytes;
  auto count = [&Bytes] {
    return advise(read(Bytes), AdviceKind::Precompile,
                  sourcesOf({{"/p/own.h", "#pragma once\n"}}))
        .Suggestions.size();
  };
  for (uint32_t Id = 1; Id != 4; ++Id)
    Bytes += reading(Id, {{"/p/own.h", 1000}});
  EXPECT_EQ(count(), 1u);
  Bytes += reading(4, {});
  EXPECT_EQ(count(), 1u) << "one loads it for nothing";
  for (uint32_t Id = 5; Id != 16; ++Id)
    Bytes += reading(Id, {});
  EXPECT_EQ(count(), 0u) << "all others load it";
}

TEST(AdvicePrecompileTest, NoHeaderIsNamedThatRefusesToBeReadFirst) {
  const std::string Refuses = "#ifndef H\n#define H\n#ifndef INSIDE\n"
                              "#error \"include <all>\"\n#endif\n"
                              "struct A {};\n#endif\n";
  std::string Bytes;
  for (uint32_t Id = 1; Id != 4; ++Id)
    Bytes += reading(Id, {{"/p/all", 10, {{"/p/pre.h", 5}, {"/p/own.h", 1000}}},
                          {"/p/other.h", 1000, {{"/p/own.h", 900}}}});
  auto snippet = [&Bytes, &Refuses](const std::string &Pre) {
    Advised Report = advise(
        read(Bytes), AdviceKind::Precompile,
        sourcesOf({{"/p/all", "#include \"pre.h\"\n#include \"own.h\"\n"},
                   {"/p/pre.h", Pre},
                   {"/p/own.h", Refuses},
                   {"/p/other.h", "#pragma once\n#include \"own.h\"\n"}}));
    return Report.Suggestions.at(0).Snippet;
  };
  EXPECT_THAT(snippet("#define INSIDE\n"),
              AllOf(HasSubstr("/p/all"), Not(HasSubstr("other.h"))))
      << "which needs no guard, as it has nothing but #includes";
  EXPECT_THAT(snippet("\n"), HasSubstr("other.h"))
      << "if no file defines the macro, the compiler does";
}

/// Three units read own.h, which includes x, and y, which takes 900 ns. x and y
/// include z, of 50 ns. What saves less than 2 % is not suggested.
Advised precompileOrRemove(uint64_t XNs, const std::string &Own) {
  const std::string X = "/usr/include/x", Y = "/usr/include/y",
                    Z = "/usr/include/z";
  std::string Bytes;
  for (uint32_t I = 1; I != 4; ++I)
    Bytes += reading(
        I, {{"own.h", 305, {{X, XNs - 50, {{Z, 50}}, 2}, {Y, 900, {}, 3}}}});
  AdviceSpec Spec;
  Spec.Only = {AdviceKind::Precompile, AdviceKind::ForwardDeclare};
  Spec.MinPermille = 20;
  Spec.Sources =
      sourcesOf({{"own.h", "#include <x>\n#include <y>\nint own();\n" + Own},
                 {X, "#include <z>\nstruct InX {};"},
                 {Y, "#include <z>\nstruct InY {};"},
                 {"a.cpp", "#include \"own.h\"\nInY V;\n"}});
  return findAdvice(read(Bytes), *TraceFilter::make({}), Spec);
}

uint64_t precompiledNs(uint64_t Ns) {
  return uint64_t(3 * double(Ns) * 0.85) - Ns;
}

TEST(AdvicePrecompileTest, WhatAnotherSuggestionRemovesIsNotPrecompiled) {
  Advised Report = precompileOrRemove(600, "");
  ASSERT_EQ(Report.Suggestions.size(), 2u);
  const Suggestion &Remove = Report.Suggestions[0];
  EXPECT_EQ(Remove.Kind, AdviceKind::ForwardDeclare);
  EXPECT_EQ(Remove.Saves.EstimateNs, 3 * 550u) << "y leads to z as well";
  const Suggestion &Precompile = Report.Suggestions[1];
  EXPECT_EQ(Precompile.Saves.EstimateNs, precompiledNs(900)) << "they add up";
  EXPECT_THAT(Precompile.Snippet, Not(HasSubstr("<x>")));
  EXPECT_THAT(Precompile.Snippet, Not(HasSubstr("<z>")));
  EXPECT_THAT(Precompile.Snippet, HasSubstr("<y>"));
}

TEST(AdvicePrecompileTest, AHeaderIsPrecompiledWithoutWhatIsRemovedFromIt) {
  Advised Report = precompileOrRemove(500, "#pragma once\nInY f();\n");
  ASSERT_EQ(Report.Suggestions.size(), 2u);
  for (const Suggestion &S : Report.Suggestions)
    EXPECT_EQ(S.Saves.EstimateNs, S.Kind == AdviceKind::Precompile
                                      ? precompiledNs(1205)
                                      : 3 * 450u);
}

TEST(AdvicePrecompileTest, WhatNobodyRemovesIsPrecompiled) {
  for (auto [XNs, Own] : {std::pair(500, "InX inX();"), std::pair(100, "")}) {
    Advised Report = precompileOrRemove(static_cast<uint64_t>(XNs), Own);
    ASSERT_EQ(Report.Suggestions.size(), 1u);
    EXPECT_THAT(Report.Suggestions[0].Snippet, HasSubstr("<x>"));
  }
}

TEST(AdvicePrecompileTest, WhoHasAPrecompiledHeaderNeedsNone) {
  UnitForm Pch;
  Pch.HasPch = true;
  EXPECT_TRUE(precompile(unit(1) + unit(2) + unit(3, Pch)).Suggestions.empty());
  EXPECT_TRUE(precompile(unit(1) + unit(2) + unit(3) + unit(4, Pch))
                  .Suggestions.empty())
      << "some of its sources skip it";
}

TEST(AdvicePrecompileTest, SmallTargetsWithTheSameOptionsShareOne) {
  auto inTarget = [](const char *Name) {
    UnitForm Form;
    Form.Object = std::string("CMakeFiles/") + Name + ".dir/a.o";
    return Form;
  };
  std::string Bytes =
      unit(1, inTarget("x")) + unit(2, inTarget("y")) + unit(3, inTarget("z"));
  Advised Report = precompile(Bytes);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Subject.text(read(Bytes), {}, 100),
            "system headers of 3 targets with the same options");
  EXPECT_THAT(Report.Suggestions[0].Snippet,
              EndsWith("target_precompile_headers(x_pch PRIVATE\n  <vector>)\n"
                       "foreach(Target x y z)\n"
                       "  target_precompile_headers(${Target} REUSE_FROM "
                       "x_pch)\nendforeach()"));
  UnitForm Other = inTarget("z");
  Other.Argv = {"clang++", "-DX", "-c", "a.cpp", "-o", Other.Object};
  EXPECT_TRUE(precompile(unit(1, inTarget("x")) + unit(2, inTarget("y")) +
                         unit(3, Other))
                  .Suggestions.empty());
  UnitForm Same = inTarget("z");
  Same.Argv = {"clang++", "-Wall", "-MF", "z.d", "-c", "a.cpp", "-o", "z.o"};
  EXPECT_EQ(precompile(unit(1, inTarget("x")) + unit(2, inTarget("y")) +
                       unit(3, Same))
                .Suggestions.size(),
            1u)
      << "warnings and names of files may differ";
  for (const char *Word : {"-Wp,-DX", "-fPIE"}) {
    Same.Argv = {"clang++", Word, "-c", "a.cpp", "-o", Same.Object};
    UnitForm First = Same, Second = Same;
    First.Object = "CMakeFiles/x.dir/a.o";
    Second.Object = "CMakeFiles/y.dir/a.o";
    const bool IsForAll = Word == std::string_view("-Wp,-DX");
    EXPECT_EQ(precompile(unit(1, First) + unit(2, Second) + unit(3, Same))
                  .Suggestions.size(),
              IsForAll ? 1u : 0u)
        << Word;
    EXPECT_TRUE(precompile(unit(1, inTarget("x")) + unit(2, inTarget("y")) +
                           unit(3, Same))
                    .Suggestions.empty())
        << Word;
  }
  UnitForm Elsewhere = inTarget("z");
  Elsewhere.Object = "sub/" + Elsewhere.Object;
  EXPECT_TRUE(precompile(unit(1, inTarget("x")) + unit(2, inTarget("y")) +
                         unit(3, Elsewhere))
                  .Suggestions.empty())
      << "no place is below all of them";
}

TEST(AdvicePrecompileTest, TargetsShareOneWhereThatSavesMore) {
  /// Of two targets with three units each.
  auto subjects = [](const UnitForm &First, const UnitForm &Second) {
    std::string Bytes;
    for (uint32_t I = 0; I != 6; ++I) {
      UnitForm Form = I < 3 ? First : Second;
      Form.Object = I < 3 ? "CMakeFiles/x.dir/a.o" : "CMakeFiles/y.dir/a.o";
      Bytes += unit(I + 1, Form);
    }
    std::vector<std::string> Names;
    for (const Suggestion &S : precompile(Bytes).Suggestions)
      Names.push_back(S.Subject.text(read(Bytes), {}, 100));
    return Names;
  };
  EXPECT_THAT(subjects({}, {}),
              ElementsAre("system headers of 2 targets with the same options"));
  // Each reads a map of its own.
  UnitForm First;
  First.VectorNs = 0;
  First.ReadsMap = true;
  First.MapFolder = "/usr/include/a/";
  UnitForm Second = First;
  Second.MapFolder = "/usr/include/b/";
  EXPECT_THAT(
      subjects(First, Second),
      ElementsAre("system headers of target x", "system headers of target y"));
}

TEST(AdvicePrecompileTest, EachTargetHasItsOwn) {
  UnitForm Other;
  Other.Object = "other/u.p/x.o";
  UnitForm Nowhere;
  Nowhere.Object = "a.o";
  std::string Bytes;
  for (uint32_t Id = 1; Id <= 9; Id += 3)
    Bytes += unit(Id) + unit(Id + 1, Other) + unit(Id + 2, Nowhere);
  Advised Report = precompile(Bytes);
  ASSERT_EQ(Report.Suggestions.size(), 3u);
  Trace T = read(Bytes);
  EXPECT_EQ(Report.Suggestions[0].Subject.text(Report.Names, {}, 100),
            "system headers");
  EXPECT_EQ(Report.Suggestions[1].Subject.text(Report.Names, {}, 100),
            "system headers of target t");
  EXPECT_EQ(Report.Suggestions[2].Subject.text(Report.Names, {}, 100),
            "system headers of target u");
  EXPECT_TRUE(Report.Suggestions[0].Snippet.ends_with("\n#include <vector>"));
}

TEST(AdvicePrecompileTest, MesonIsToldOfATargetInItsOwnWay) {
  auto get = [](const char *Folder) {
    UnitForm Form;
    Form.Object = std::string("src/") + Folder + "/a.cpp.o";
    return precompile(unit(1, Form) + unit(2, Form) + unit(3, Form))
        .Suggestions.at(0)
        .Snippet;
  };
  EXPECT_EQ(get("libsample.a.p"),
            "// pch/sample_pch.hpp, beside the meson.build of sample, whose "
            "call there gets\n"
            "//   cpp_pch: 'pch/sample_pch.hpp'\n"
            "#include <vector>");
  for (const char *Folder :
       {"libsample.so.p", "libsample.so.1.2.3.p", "sample.so.p", "sample.p"})
    EXPECT_EQ(get(Folder), get("libsample.a.p")) << Folder;
  EXPECT_NE(get("library.p").find("pch/library_pch.hpp"), std::string::npos);
  EXPECT_NE(get("lib.a.p").find("pch/lib_pch.hpp"), std::string::npos);
}

TEST(AdvicePrecompileTest, SmallTargetsOfMesonCannotShareOne) {
  auto get = [](const char *Name) {
    UnitForm Form;
    Form.Object = std::string(Name) + ".p/a.cpp.o";
    return Form;
  };
  EXPECT_TRUE(
      precompile(unit(1, get("x")) + unit(2, get("y")) + unit(3, get("z")))
          .Suggestions.empty());
}

TEST(AdvicePrecompileTest, WhatAnotherListedHeaderBringsIsNotListed) {
  const std::string Folder = "/usr/include/c++/12/";
  ReadFile Cstdint{Folder + "cstdint", 50};
  ReadFile Memory{Folder + "memory", 100, {{Folder + "bits/ptr.h", 10}}};
  ReadFile Brings = Memory;
  Brings.Includes[0].Includes = {Cstdint};
  // Where <cstdint> comes first, <memory> does not read it again.
  Advised Report =
      precompile(reading(1, {Cstdint, Memory}) + reading(2, {Cstdint, Memory}) +
                 reading(3, {Brings, {Folder + "map", 70}}) +
                 reading(4, {Cstdint, {Folder + "map", 70}}));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_TRUE(Report.Suggestions[0].Snippet.ends_with(
      "#include <memory>\n#include <map>"))
      << Report.Suggestions[0].Snippet;
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs,
            4 * 50 + 3 * 110 + 2 * 70 - 230u)
      << "what it brings is saved all the same";
}

TEST(AdvicePrecompileTest, OfHeadersThatBringEachOtherOneIsListed) {
  ReadFile A{"/usr/include/a.h", 100, {{"/usr/include/b.h", 10}}};
  ReadFile B{"/usr/include/b.h", 10, {{"/usr/include/a.h", 90}}};
  Advised Report =
      precompile(reading(1, {A}) + reading(2, {A}) + reading(3, {B}));
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_TRUE(Report.Suggestions[0].Snippet.ends_with("...\n#include <a.h>"))
      << Report.Suggestions[0].Snippet;
}

TEST(AdvicePrecompileTest, WhatIsInternalToALibraryIsNotListed) {
  std::string Bytes;
  for (uint32_t Id = 1; Id <= 3; ++Id)
    Bytes += reading(Id, {{"/usr/include/c++/12/bits/move.h", 100},
                          {"/usr/lib/clang/22/include/__stddef_size_t.h", 90},
                          {"/usr/include/boost/detail/all.hpp", 80},
                          {"/usr/include/c++/12/list", 70}});
  Advised Report = precompile(Bytes);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_TRUE(Report.Suggestions[0].Snippet.ends_with("...\n#include <list>"))
      << Report.Suggestions[0].Snippet;
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs, 2 * 70u);
  std::string All;
  for (uint32_t Id = 1; Id <= 3; ++Id)
    All += reading(Id, {{"/usr/include/c++/12/bits/stdc++.h", 100}});
  EXPECT_EQ(precompile(All).Suggestions.size(), 1u) << "made to be precompiled";
}

TEST(AdvicePrecompileTest, WhatTakesLessThanAHundredthIsCounted) {
  std::string Bytes;
  for (uint32_t Id = 1; Id <= 3; ++Id)
    Bytes +=
        reading(Id, {{"/usr/include/big.h", 991}, {"/usr/include/small.h", 9}});
  Advised Report = precompile(Bytes);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_TRUE(Report.Suggestions[0].Snippet.ends_with("...\n#include <big.h>"))
      << Report.Suggestions[0].Snippet;
  EXPECT_EQ(evidence(Report.Suggestions[0],
                     "more that would save less and are left out"),
            1u);
}

TEST(AdvicePrecompileTest, WhatMakesAPrecompiledHeaderIsLeftOut) {
  UnitForm Making;
  Making.Argv = {"clang++", "-x", "c++-header", "-c", "a.cpp"};
  EXPECT_TRUE(
      precompile(unit(1) + unit(2) + unit(3, Making)).Suggestions.empty());
}

} // namespace
