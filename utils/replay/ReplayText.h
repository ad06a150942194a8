/// \file
/// The debugger's answers as people read them.
///
/// Flow: ReplayWriter -> [ReplayText] -> stdout; errors to stderr
#pragma once

#include "utils/render/Output.h"
#include "utils/render/Terminal.h"
#include "utils/replay/ReplayWriter.h"

namespace instantrace {

class ReplayText final : public ReplayWriter {
public:
  explicit ReplayText(FILE *File = stdout) : Out(File) {}

  void begin(const std::string &) override { Term = standardOutputTerminal(); }
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
  void value(const std::string &, const std::string &Shown, uint64_t) override;
  void name(const std::string &Text) override;
  void text(const std::string &Text) override { Out.append(Text + "\n"); }
  void error(const std::string &Message) override;
  uint64_t sizeBytes() const override { return Out.sizeBytes(); }
  Result<void> finish() override;

private:
  void line(std::string_view What, const std::string &Is);

  Output Out;
  Terminal Term;
};

} // namespace instantrace
