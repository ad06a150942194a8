/// \file
/// The debugger's answers as people read them.
///
/// Flow: Debugger -> views -> [ReplayText] -> stdout; errors to stderr
#pragma once

#include "utils/render/Output.h"
#include "utils/render/Terminal.h"
#include "utils/replay/ReplayViews.h"

namespace instantrace {

class ReplayText {
public:
  explicit ReplayText(FILE *File = stdout) : Out(File) {}

  /// Before the answer of a command: the terminal may have another size.
  void begin() { Term = standardOutputTerminal(); }
  void stop(const StopView &View);
  void stack(const StackView &View);
  /// In a line, or with all that is known if \p IsWhole.
  void frame(size_t Number, const IndexFrame &Frame, uint64_t NowNs,
             bool IsWhole);
  void breakpoints(const std::vector<BreakpointView> &Rows);
  void breakpointAdded(const BreakpointView &View);
  void entities(const std::vector<EntityView> &Rows, size_t More);
  void statistics(const StatisticsView &View);
  void source(const SourceView &View);
  void compiles(const std::vector<CompileView> &Rows);
  /// Of what was recorded: one, or several a line.
  void name(const std::string &Text);
  /// Lines of text, such as help.
  void text(const std::string &Text) { Out.append(Text + "\n"); }
  void error(const std::string &Message);
  /// Of all answers so far.
  uint64_t sizeBytes() const { return Out.sizeBytes(); }
  /// The command has been run; all of its answer can be read now.
  Result<void> finish();

private:
  void line(std::string_view What, const std::string &Is);

  Output Out;
  Terminal Term;
};

} // namespace instantrace
