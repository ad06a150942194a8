/// \file
/// The debugger's answers for programs: JSON objects, one a line.
///
/// Flow: ReplayWriter -> [ReplayJson] -> stdout, errors as well
///
/// Each command has an object at least: what it answers, or of the type "error"
/// or "done". A script that one runs has those of its commands first.
#pragma once

#include "utils/render/JsonText.h"
#include "utils/render/Output.h"
#include "utils/replay/ReplayWriter.h"

namespace instantrace {

class ReplayJson final : public ReplayWriter {
public:
  explicit ReplayJson(FILE *File = stdout) : Out(File) {}

  void begin(const std::string &Name) override;
  void stop(const StopView &View) override;
  void stack(const StackView &View) override;
  void frame(size_t Number, const IndexFrame &Frame, uint64_t NowNs,
             bool IsWhole) override;
  void breakpoints(const std::vector<BreakpointView> &Rows) override;
  void breakpointAdded(const BreakpointView &View) override;
  void entities(const std::vector<EntityView> &Rows, size_t More) override;
  void statistics(const StatisticsView &View) override;
  void source(const SourceView &View) override;
  void compiles(const std::vector<CompileView> &Rows) override;
  void value(const std::string &Name, const std::string &Shown,
             uint64_t Value) override;
  void name(const std::string &Text) override;
  void text(const std::string &Text) override;
  void error(const std::string &Message) override;
  uint64_t sizeBytes() const override { return Out.sizeBytes(); }
  Result<void> finish() override;

private:
  /// One object of the type, to which \p Fill adds fields.
  template <class Filler> void answer(std::string_view Type, Filler Fill);

  Output Out;
  std::string Command;
  bool HasAnswer = true;
};

} // namespace instantrace
