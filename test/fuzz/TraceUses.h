/// \file
/// What commands do with a trace that they have read, without files.
///
/// Flow:   fuzzTrace -> [useTrace] -> analyses, renderers, exporters, tables of
///         SQL
/// Errors: a broken promise of the code aborts
#pragma once

#include "runtime/read/Trace.h"
#include "utils/render/Output.h"

#include <cstdint>
#include <string_view>

namespace instantrace::fuzz {

/// Takes text and drops it. Aborts where a text is out of proportion.
class DroppedOutput final : public Output {
public:
  DroppedOutput() : Output(nullptr) {}
  Result<int> finish() override {
    flush();
    return 0;
  }

private:
  void write(std::string_view Text) override;
  uint64_t WrittenBytes = 0;
};

/// One command's work on the trace; \p Command says which (any number), and
/// \p Options how.
void useTrace(const Trace &T, uint8_t Command, uint8_t Options);

/// A small trace with a little of everything, as text for `assemble`.
extern const char *const SampleTraceText;

/// The same, read.
const Trace &sampleTrace();

} // namespace instantrace::fuzz
