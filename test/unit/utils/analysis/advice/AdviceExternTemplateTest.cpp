/// \file
/// Advice about explicit instantiation: what it avoids, and what it does not.
#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

const std::string Source = "template <class T> struct X {\n"
                           "  void\n"
                           "inside() {}\n"
                           "  void outside();\n"
                           "};\n"
                           "template <class T> void X<T>::\n"
                           "outside() {}\n"
                           "template <class T> inline void X<T>::\n"
                           "marked() {}\n"
                           "struct Y { friend void\n"
                           "hidden(Y) {} };\n";

SourceReader sources() {
  return [](const std::string *, const std::string &Path) {
    return Path == "x.h" ? &Source : nullptr;
  };
}

/// The body of X<int>::outside, of so many ns, and others if wanted. Names are
/// in column 1, where the builder declares everything.
std::string compile(uint32_t Id, uint64_t BodyNs, const std::string &Input,
                    uint32_t Line = 7, bool IsLate = true) {
  AdviceBuilder B(Id, Input);
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS, "x.h", 1);
  uint32_t F = B.entity("X<int>::outside", "X<$>::outside",
                        proto::ENTITY_FUNCTION, "x.h", Line);
  B.begin(EventKind::Frontend);
  B.definition(X, 1000);
  if (IsLate)
    B.beginLate(F, 0);
  else
    B.begin(EventKind::TemplateInstantiation, F);
  B.endDefinition(BodyNs);
  B.end(0);
  B.hits(X, 5);
  return B.bytes();
}

TEST(AdviceExternTemplateTest, BodiesOfAllCompilesButOneAreSaved) {
  Trace T = read(compile(1, 100, "a.cpp") + compile(2, 300, "b.cpp") +
                 compile(3, 200, "c.cpp"));
  Advised Report = advise(T, AdviceKind::ExternTemplate, sources());
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "X<int>");
  EXPECT_EQ(S.Saves.LeastNs, 300u);
  EXPECT_EQ(S.Saves.EstimateNs, 300u) << "the largest stays";
  EXPECT_EQ(S.Saves.MostNs, 300u);
  ASSERT_EQ(S.Evidence.size(), 4u);
  EXPECT_EQ(S.Evidence[0].Name.text(Report.Names, {}, 100), "c.cpp");
  EXPECT_EQ(S.Evidence[0].Ns, 200u);
  EXPECT_EQ(S.Evidence[1].Ns, 100u) << "they add up";
  EXPECT_EQ(S.Evidence[2].Name.text(Report.Names, {}, 100), "b.cpp");
  EXPECT_FALSE(S.Evidence[2].Ns) << "it stays";
  EXPECT_EQ(S.Evidence[3].Count, 3u) << "certainly not inline";
  EXPECT_EQ(S.Snippet, "// in x.h, after the definitions\n"
                       "extern template class X<int>;\n"
                       "// in one source file\n"
                       "template class X<int>;\n");
}

/// Bodies of X<int>::outside, X<A0>::outside, X<A1>::outside...: of the one at
/// index I, (I + 1) * Ns. X<char>::outside is in compiles of odd ids alone.
std::string manyBodies(uint32_t Id, uint32_t Count, uint64_t Ns) {
  AdviceBuilder B(Id, std::to_string(Id) + ".cpp");
  B.begin(EventKind::Frontend);
  auto body = [&B](const std::string &Class, uint64_t BodyNs) {
    uint32_t F = B.entity(Class + "::outside", "X<$>::outside",
                          proto::ENTITY_FUNCTION, "x.h", 7);
    B.beginLate(F, 0);
    B.endDefinition(BodyNs);
  };
  for (uint32_t I = 0; I != Count; ++I)
    body("X<A" + std::to_string(I) + ">", (I + 1) * Ns);
  if (Id % 2 == 1)
    body("X<char>", 1);
  B.end(100000);
  return B.bytes();
}

TEST(AdviceExternTemplateTest, SpecializationsOfOneTemplateAreOneSuggestion) {
  Trace T = read(manyBodies(1, 7, 10) + manyBodies(2, 7, 10));
  Advised Report = advise(T, AdviceKind::ExternTemplate, sources());
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Subject.text(Report.Names, {}, 100), "X<$>");
  EXPECT_EQ(S.Place, "x.h:7");
  EXPECT_EQ(S.Saves.EstimateNs, 280u) << "10 + 20 + ... + 70, of one compile";
  ASSERT_EQ(S.Evidence.size(), 8u);
  for (size_t I = 0; I != 5; ++I) {
    EXPECT_EQ(S.Evidence[I].What, "compiles with bodies of");
    EXPECT_EQ(S.Evidence[I].Name.text(Report.Names, {}, 100),
              "X<A" + std::to_string(6 - I) + ">");
    EXPECT_EQ(S.Evidence[I].Count, 2u);
    EXPECT_EQ(S.Evidence[I].Ns, 10 * (7 - I));
  }
  EXPECT_EQ(S.Evidence[5].What, "specializations more");
  EXPECT_EQ(S.Evidence[5].Count, 2u) << "not X<char>, of one compile alone";
  EXPECT_EQ(S.Evidence[5].Ns, 30u);
  EXPECT_EQ(S.Evidence[6].Count, 14u) << "bodies";
  EXPECT_EQ(S.Evidence[7].Count, 14u) << "certainly not inline";
  EXPECT_TRUE(S.Snippet.starts_with("// in a header that includes x.h and "
                                    "defines the types of the arguments\n"
                                    "extern template class X<A6>;\n"));
  EXPECT_NE(
      S.Snippet.find("// and 2 more, which `instantrace duplicates` shows"),
      std::string::npos);
  EXPECT_EQ(S.Snippet.find("X<A1>"), std::string::npos);
}

// The work of what one compile alone has would only move.
TEST(AdviceExternTemplateTest, WhatOneCompileAloneHasIsNoSuggestion) {
  AdviceBuilder B(3, "3.cpp");
  B.begin(EventKind::Frontend);
  for (uint32_t I = 0; I != 7; ++I) {
    uint32_t F = B.entity("X<M" + std::to_string(I) + ">::outside",
                          "X<$>::outside", proto::ENTITY_FUNCTION, "x.h", 7);
    B.beginLate(F, 0);
    B.endDefinition(1000 + I);
  }
  B.end(0);
  Trace T = read(manyBodies(2, 2, 10) + manyBodies(4, 2, 10) + B.bytes());
  Advised Report = advise(T, AdviceKind::ExternTemplate, sources());
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Saves.EstimateNs, 30u) << "of A0 and A1, of one compile";
  EXPECT_EQ(evidence(S, "function bodies of all of them"), 4u);
}

/// As compile(), with what LLVM took for the body's function.
std::string optimized(uint32_t Id, uint64_t BodyNs, uint64_t BackendNs,
                      uint32_t Line) {
  AdviceBuilder B(Id, "a.cpp");
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS, "x.h", 1);
  uint32_t F = B.entity("X<int>::outside", "X<$>::outside",
                        proto::ENTITY_FUNCTION, "x.h", Line);
  B.begin(EventKind::Frontend);
  B.definition(X, 1000);
  B.beginLate(F, 0);
  B.endDefinition(BodyNs);
  B.leaf(EventKind::OptimizeFunction, F, BackendNs - 10);
  B.leaf(EventKind::MachineCode, F, 10);
  B.end(0);
  B.hits(X, 5);
  B.function(F);
  return B.bytes();
}

TEST(AdviceExternTemplateTest, WhatLlvmDoesForABodyGoesWithIt) {
  Trace T = read(optimized(1, 100, 500, 7) + optimized(2, 100, 600, 7));
  Advised Report = advise(T, AdviceKind::ExternTemplate, sources());
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Saves.LeastNs, 600u);
  EXPECT_EQ(S.Saves.EstimateNs, 600u) << "the second one stays";
  EXPECT_EQ(S.Saves.MostNs, 600u);
  EXPECT_EQ(evidence(S, "function of them, or of what only they need") +
                evidence(S, "functions of them, and of what only they need"),
            1u)
      << "one of the two";
  // Of what may be inline, half.
  T = read(optimized(1, 100, 500, 7) + optimized(2, 100, 600, 7));
  Report = advise(T, AdviceKind::ExternTemplate);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.LeastNs, 0u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 300u);
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs, 600u);
}

TEST(AdviceExternTemplateTest, WhatIsInItsClassOrInlineStays) {
  for (uint32_t Line : {3u, 9u}) {
    Trace T =
        read(compile(1, 100, "a.cpp", Line) + compile(2, 300, "b.cpp", Line));
    EXPECT_TRUE(
        advise(T, AdviceKind::ExternTemplate, sources()).Suggestions.empty())
        << Line;
  }
}

TEST(AdviceExternTemplateTest, WhatIsInstantiatedAtOnceStays) {
  Trace T = read(compile(1, 100, "a.cpp", 7, false) +
                 compile(2, 300, "b.cpp", 7, false));
  EXPECT_TRUE(
      advise(T, AdviceKind::ExternTemplate, sources()).Suggestions.empty());
}

/// X<int>::outside is made inside what was queued and needs it.
std::string nested(uint32_t Id, uint32_t Line = 7,
                   const std::string &Target = "a") {
  AdviceBuilder B(Id, "u" + std::to_string(Id) + ".cpp");
  B.object("CMakeFiles/" + Target + ".dir/u" + std::to_string(Id) + ".cpp.o",
           "");
  uint32_t Outer =
      B.entity("use<int>", "use<$>", proto::ENTITY_FUNCTION, "y.h", 3);
  uint32_t F = B.entity("X<int>::outside", "X<$>::outside",
                        proto::ENTITY_FUNCTION, "x.h", Line);
  B.begin(EventKind::Frontend);
  B.beginLate(Outer, 0);
  B.begin(EventKind::TemplateInstantiation, F);
  B.endDefinition(100);
  B.endDefinition(10);
  B.end(0);
  return B.bytes();
}

TEST(AdviceExternTemplateTest, WhatAQueuedBodyNeedsGoesAsItDoes) {
  Advised Report = advise(read(nested(1) + nested(2)),
                          AdviceKind::ExternTemplate, sources());
  ASSERT_EQ(Report.Suggestions.size(), 2u);
  EXPECT_EQ(Report.Suggestions[0].Subject.text(Report.Names, {}, 100),
            "X<int>");
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 100u);
  // Inside it as well, because it is constexpr.
  Report = advise(read(nested(1, 9) + nested(2, 9)), AdviceKind::ExternTemplate,
                  sources());
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Subject.text(Report.Names, {}, 100),
            "use<int>");
}

// An object of another target is not linked.
TEST(AdviceExternTemplateTest, EachTargetNeedsOneOfItsOwn) {
  EXPECT_TRUE(advise(read(nested(1) + nested(2, 7, "b")),
                     AdviceKind::ExternTemplate, sources())
                  .Suggestions.empty());
  Advised Report = advise(read(nested(1) + nested(2, 7, "b") + nested(3)),
                          AdviceKind::ExternTemplate, sources());
  ASSERT_EQ(Report.Suggestions.size(), 2u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Saves.EstimateNs, 100u);
  EXPECT_EQ(S.Evidence[0].Ns.value_or(0) + S.Evidence[1].Ns.value_or(0), 100u);
  EXPECT_NE(S.Snippet.find("// in one source file of each target: a b\n"),
            std::string::npos);
}

TEST(AdviceExternTemplateTest, WithoutSourcesHalfOfItIsExpected) {
  Trace T = read(compile(1, 100, "a.cpp") + compile(2, 300, "b.cpp"));
  Advised Report = advise(T, AdviceKind::ExternTemplate);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  EXPECT_EQ(Report.Suggestions[0].Saves.LeastNs, 0u);
  EXPECT_EQ(Report.Suggestions[0].Saves.EstimateNs, 50u);
  EXPECT_EQ(Report.Suggestions[0].Saves.MostNs, 100u);
}

// As of a friend that is defined in a class template.
TEST(AdviceExternTemplateTest, WhatIsNoTemplateAndInNoClassStays) {
  std::string Bytes;
  for (uint32_t Id : {1u, 2u}) {
    AdviceBuilder B(Id);
    uint32_t F =
        B.entity("hidden", "hidden", proto::ENTITY_FUNCTION, "x.h", 11);
    B.begin(EventKind::Frontend);
    B.beginLate(F, 0);
    B.endDefinition(100);
    B.end(0);
    Bytes += B.bytes();
  }
  for (const SourceReader &Reader : {sources(), SourceReader()})
    EXPECT_TRUE(advise(read(Bytes), AdviceKind::ExternTemplate, Reader)
                    .Suggestions.empty());
}

TEST(AdviceExternTemplateTest, WhatCannotBeWrittenIsNotAdvised) {
  std::string Bytes;
  for (uint32_t Id : {1u, 2u}) {
    AdviceBuilder B(Id);
    uint32_t F = B.entity("X<(lambda at a.cpp:1:1)>::outside", "X<$>::outside",
                          proto::ENTITY_FUNCTION, "x.h", 7);
    B.begin(EventKind::Frontend);
    B.beginLate(F, 0);
    B.endDefinition(100);
    B.end(0);
    Bytes += B.bytes();
  }
  EXPECT_TRUE(advise(read(Bytes), AdviceKind::ExternTemplate, sources())
                  .Suggestions.empty());
}

} // namespace
