/// \file
/// Advice from what LLVM did for functions.
#include "test/unit/support/AdviceBuilder.h"
#include "test/unit/support/FunctionRows.h"

#include <gtest/gtest.h>

#include <string>

using namespace instantrace;
using namespace instantrace::test;

namespace {

struct Made {
  uint32_t MachineInstructions = 0; // 0: in no object
  uint64_t OptimizeNs = 0, GenerateNs = 0;
};

/// Functions f<T0>, f<T1>, ... of one compile, with 4 bytes an instruction.
/// Names are hashed by their number.
std::string compile(const std::vector<Made> &Functions, uint32_t Id = 1,
                    const char *Backend = "functions") {
  TraceBuilder B(Id);
  for (size_t I = 0; I != Functions.size(); ++I)
    B.entity("f<T" + std::to_string(I) + ">", "f<$>", proto::ENTITY_FUNCTION,
             "f.h:3:1");
  uint64_t Ns = 0;
  uint64_t Events = 2 + 2 * Functions.size();
  for (uint32_t I = 1; I <= Functions.size(); ++I) {
    B.begin(EventKind::TemplateInstantiation, Ns, EntityId{I});
    B.end(Ns, WithDefinition);
  }
  B.begin(EventKind::CodeGeneration, Ns);
  auto Work = [&](EventKind Kind, size_t Number, uint64_t TookNs) {
    B.begin(Kind, Ns, EntityId{static_cast<uint32_t>(Number + 1)});
    B.end(Ns += TookNs);
    Events += 2;
  };
  for (size_t I = 0; I != Functions.size(); ++I)
    Work(EventKind::OptimizeFunction, I, Functions[I].OptimizeNs);
  for (size_t I = 0; I != Functions.size(); ++I)
    Work(EventKind::MachineCode, I, Functions[I].GenerateNs);
  B.end(Ns);
  auto *Rows = B.packet()->mutable_functions();
  auto *Sizes = B.packet()->mutable_function_sizes();
  Rows->set_first_id(1);
  for (uint32_t I = 1; I <= Functions.size(); ++I) {
    Rows->add_entity(I);
    Rows->add_owner(proto::FUNCTION_OWNER_ITSELF);
    Rows->add_name_hash(I);
    Rows->add_linkage(proto::LINKAGE_LINK_ONCE);
    Rows->add_ir_instructions(10);
    if (Functions[I - 1].MachineInstructions == 0)
      continue;
    Sizes->add_function(I);
    Sizes->add_machine_instructions(Functions[I - 1].MachineInstructions);
    Sizes->add_object_bytes(4 * uint64_t(Functions[I - 1].MachineInstructions));
  }
  B.footer(Events, Ns);
  auto *Footer =
      B.Trace.mutable_packet(B.Trace.packet_size() - 1)->mutable_footer();
  Footer->set_backend(Backend);
  Footer->set_code_bytes(100000);
  return B.bytes();
}

std::string name(const Trace &T, const RowName &Name) {
  return Name.text(T, {}, 100);
}

TEST(AdviceBackend, AlikeFunctionsHaveAPartInCommon) {
  std::vector<Made> Functions(9, Made{100, 10, 20});
  Functions[3] = {110, 30, 20};
  Functions[8] = {400, 500, 500}; // not alike
  Trace T = read(compile(Functions));
  Advised Report = advise(T, AdviceKind::TypeIndependentPart);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(name(Report.Names, S.Subject), "f<$>");
  EXPECT_EQ(S.Place, "f.h:3");
  // 7 of 30 ns and one of 50, which is the dearest; without the source, half.
  EXPECT_EQ(S.Saves.MostNs, 260u);
  EXPECT_EQ(S.Saves.EstimateNs, 105u);
  EXPECT_EQ(S.Saves.LeastNs, 0u);
  EXPECT_EQ(S.Evidence[0].Count, 8u);
  EXPECT_EQ(S.Evidence[0].Ns, 260u);
  EXPECT_EQ(name(Report.Names, S.Evidence[0].Name), "f<T3>");
  EXPECT_EQ(evidence(S, "bytes of them"), 7u * 400 + 440);
  EXPECT_EQ(evidence(S, "bytes of the largest"), 440u);
}

TEST(AdviceBackend, FewShortOrDifferentFunctionsHaveNone) {
  for (const std::vector<Made> &Functions :
       {std::vector<Made>(7, Made{100, 10, 20}),
        std::vector<Made>(20, Made{39, 10, 20}),
        std::vector<Made>{{50, 1, 1},
                          {70, 1, 1},
                          {100, 1, 1},
                          {140, 1, 1},
                          {190, 1, 1},
                          {270, 1, 1},
                          {390, 1, 1},
                          {500, 1, 1},
                          {700, 1, 1},
                          {990, 1, 1}}}) {
    Trace T = read(compile(Functions));
    EXPECT_TRUE(advise(T, AdviceKind::TypeIndependentPart).Suggestions.empty());
  }
}

TEST(AdviceBackend, WhatIsInNoObjectWasOptimizedForNothing) {
  std::vector<Made> Functions(20, Made{0, 10, 0});
  Functions[4] = {50, 100, 100}; // kept
  Functions[7] = {0, 12, 0};
  Trace T = read(compile(Functions));
  Advised Report = advise(T, AdviceKind::NeverKept);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(S.Saves.MostNs, 192u);
  EXPECT_EQ(S.Saves.EstimateNs, 96u);
  EXPECT_EQ(S.Evidence[0].Count, 19u);
  EXPECT_EQ(name(Report.Names, S.Evidence[0].Name), "f<T7>");
  EXPECT_EQ(evidence(S, "functions of it"), 20u);
  EXPECT_EQ(evidence(S, "instructions of IR"), 190u);
}

TEST(AdviceBackend, OfWhatIsNotKnownNothingIsSaid) {
  std::vector<Made> Functions(20, Made{0, 10, 0});
  Trace T = read(compile(Functions, 1, "passes: no remark"));
  EXPECT_TRUE(advise(T, AdviceKind::NeverKept).Suggestions.empty());
  Functions.resize(10);
  Functions.resize(20, Made{50, 10, 10}); // half is kept
  T = read(compile(Functions));
  EXPECT_TRUE(advise(T, AdviceKind::NeverKept).Suggestions.empty());
}

TEST(AdviceBackend, WhatTwoCompilesMakeIsMadeOnceForNothing) {
  Trace T = read(compile({{10, 5, 7}, {20, 4, 40}}, 1) +
                 compile({{10, 6, 9}}, 2) + compile({{10, 6, 8}}, 3));
  Advised Report = advise(T, AdviceKind::Duplicates);
  ASSERT_EQ(Report.Suggestions.size(), 1u);
  const Suggestion &S = Report.Suggestions[0];
  EXPECT_EQ(name(Report.Names, S.Subject), "f<$>");
  EXPECT_EQ(S.Saves.MostNs, 11u + 15u);
  EXPECT_EQ(S.Saves.EstimateNs, 5u + 15u);
  EXPECT_EQ(S.Evidence[0].Count, 1u);
  EXPECT_EQ(name(Report.Names, S.Evidence[0].Name), "f<T0>");
  EXPECT_EQ(evidence(S, "times that"), 3u);
  EXPECT_EQ(evidence(S, "bytes that"), 80u);
  T = read(compile({{10, 5, 7}}));
  EXPECT_TRUE(advise(T, AdviceKind::Duplicates).Suggestions.empty());
}

} // namespace
