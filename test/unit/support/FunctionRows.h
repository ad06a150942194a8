/// \file
/// Functions that LLVM was given, and what became of them, for a trace in the
/// making.
///
/// Flow: a test -> [addFunctions, addSizes] -> TraceBuilder
#pragma once

#include "test/unit/support/TraceBuilder.h"

namespace instantrace::test {

struct FunctionOf {
  EntityId Entity;
  uint32_t IrInstructions = 0;
  uint64_t NameHash = 0;
  proto::Linkage Link = proto::LINKAGE_LINK_ONCE;
  proto::FunctionOwner Owner = proto::FUNCTION_OWNER_ITSELF;
};

inline void addFunctions(TraceBuilder &B,
                         std::initializer_list<FunctionOf> Rows,
                         uint32_t FirstId = 1) {
  auto *Batch = B.packet()->mutable_functions();
  Batch->set_first_id(FirstId);
  for (const FunctionOf &F : Rows) {
    Batch->add_entity(F.Entity.Value);
    Batch->add_owner(F.Owner);
    Batch->add_name_hash(F.NameHash);
    Batch->add_linkage(F.Link);
    Batch->add_ir_instructions(F.IrInstructions);
  }
}

/// Of function N, 10 N machine instructions and 40 N bytes.
inline void addSizes(TraceBuilder &B, std::initializer_list<uint32_t> Ids) {
  auto *Sizes = B.packet()->mutable_function_sizes();
  for (uint32_t Id : Ids) {
    Sizes->add_function(Id);
    Sizes->add_machine_instructions(10 * Id);
    Sizes->add_object_bytes(40 * uint64_t(Id));
  }
}

} // namespace instantrace::test
