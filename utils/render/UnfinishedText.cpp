#include "utils/render/UnfinishedText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

using namespace instantrace;

namespace {

constexpr size_t LabelColumns = 22;
/// Of the chain: those at its ends are shown.
constexpr size_t InnerSteps = 3, OuterSteps = 1, StepColumns = 32;
constexpr size_t SourceColumns = 60;
/// Of the memory, with which the system may have ended it.
constexpr uint64_t MemoryShare = 4;
/// A stack that overflows has at least so many levels.
constexpr size_t OverflowLevels = 100;

const char *doingWords(EventKind Kind) {
  switch (eventGroup(Kind)) {
  case EventGroup::Instantiation:
    return "while instantiating";
  case EventGroup::Substitution:
  case EventGroup::DefaultArgument:
    return "while substituting";
  case EventGroup::Constraint:
    return "while checking";
  case EventGroup::ExceptionSpec:
  case EventGroup::Synthesis:
    return "while making";
  case EventGroup::Line:
    return Kind == EventKind::ConstantEvaluation ? "while evaluating"
                                                 : "while parsing";
  case EventGroup::Backend:
    return "while compiling";
  case EventGroup::File:
    return "while reading";
  case EventGroup::Memoization:
  case EventGroup::Phase:
    break;
  }
  return "while in";
}

bool isCrash(uint32_t Signal) {
  constexpr uint32_t Crashes[] = {SIGSEGV, SIGABRT, SIGILL,     SIGTRAP,
                                  SIGBUS,  SIGFPE,  CrashSignal};
  return std::find(std::begin(Crashes), std::end(Crashes), Signal) !=
         std::end(Crashes);
}

std::string shownPlace(const UnfinishedCompile &Of, const ProgramPlace &Place) {
  if (Place.LineNo == 0)
    return {};
  const ProjectFolders Folders = project().Base.empty()
                                     ? ProjectFolders{Of.WorkingDirectory, {}}
                                     : project();
  return printableText(Folders.shown(Place.Path, Of.WorkingDirectory)) + ":" +
         std::to_string(Place.LineNo);
}

std::string stepName(const OpenStep &Step, size_t Columns) {
  return Step.Name.empty() ? std::string(eventKindName(Step.Kind))
                           : elideName(printableText(Step.Name), Columns);
}

/// Different names outwards of the innermost step's, the innermost first:
/// several kinds of work for one entity are one step.
std::vector<const OpenStep *> outerSteps(const UnfinishedCompile &Of) {
  std::vector<const OpenStep *> Steps;
  const std::string *Last = &Of.Open.back().Name;
  for (size_t I = Of.Open.size() - 1; I-- != 0;) {
    const OpenStep &Step = Of.Open[I];
    if (Step.Name.empty() || Step.Name == *Last || isLineWork(Step.Kind))
      continue;
    Steps.push_back(&Step);
    Last = &Step.Name;
  }
  return Steps;
}

std::string chainText(const std::vector<const OpenStep *> &Steps) {
  std::string Text;
  for (size_t I = 0; I != Steps.size(); ++I) {
    Text += Text.empty() ? "" : " < ";
    if (I == InnerSteps && Steps.size() > InnerSteps + OuterSteps + 1) {
      I = Steps.size() - OuterSteps;
      Text += std::string(Ellipsis) + " " + groupedText(I - InnerSteps) +
              " more < ";
    }
    Text += stepName(*Steps[I], StepColumns);
  }
  return Text;
}

std::string growthText(const TemplateGrowth &Of) {
  std::string Text =
      Of.Name + ": " + counted(Of.Specializations, "specialization");
  switch (Of.Kind) {
  case GrowthKind::Doubling:
    return Text + ", each twice the last: exponential";
  case GrowthKind::Linear:
    return Text + ", one inside the other: linear recursion";
  case GrowthKind::Unknown:
    break;
  }
  return Text;
}

const char *remedyText(GrowthKind Kind) {
  switch (Kind) {
  case GrowthKind::Doubling:
    return "bound the number of steps here, or keep parts instead of joining "
           "them into one list";
  case GrowthKind::Linear:
    return "end the recursion here, or replace it by a fold, a loop in a "
           "constexpr function or std::make_integer_sequence";
  case GrowthKind::Unknown:
    break;
  }
  return "";
}

} // namespace

std::string instantrace::endWords(const UnfinishedCompile &Of,
                                  const UnfinishedContext &Context) {
  if (!Context.EndedBy.empty())
    return "ended by " + Context.EndedBy;
  if (Of.DepthLimit != 0)
    return "failed at -ftemplate-depth=" + std::to_string(Of.DepthLimit);
  if (Of.State == ExitState::FatalError)
    return "failed by a fatal error";
  const bool IsLarge = Context.MemoryBytes != 0 &&
                       Of.PeakBytes >= Context.MemoryBytes / MemoryShare;
  const char *Memory = IsLarge ? ", out of memory?" : "";
  const auto IsSignal = [&Of](int Signal) {
    return Of.Signal == static_cast<uint32_t>(Signal);
  };
  // Its parent was faster than whoever watched it.
  if (Of.Signal == 0)
    return std::string("killed (signal not seen") + Memory + ")";
  if (isCrash(Of.Signal)) {
    const bool IsDeep = (IsSignal(SIGSEGV) || IsSignal(SIGBUS)) &&
                        Of.Open.size() > OverflowLevels;
    return "crashed (" +
           (Of.Signal == CrashSignal ? "signal not known"
                                     : signalText(Of.Signal)) +
           (IsDeep ? ", stack overflow?" : Memory) + ")";
  }
  if (IsSignal(SIGKILL))
    return "killed (" + signalText(Of.Signal) + Memory + ")";
  return std::string(IsSignal(SIGINT) ? "interrupted" : "stopped") + " (" +
         signalText(Of.Signal) + ")";
}

std::vector<std::string>
instantrace::unfinishedLines(const UnfinishedCompile &Of,
                             const UnfinishedContext &Context, size_t Columns) {
  std::vector<std::string> Lines;
  Lines.push_back(
      printableText(Of.Input.empty() ? Of.Trace : Of.Input) + ": " +
      endWords(Of, Context) + " after " + timeText(Of.CpuNs) + " of CPU time" +
      (Of.PeakBytes ? " at " + sizeText(Of.PeakBytes) : "") +
      (Of.Pass.empty() ? "" : " in the pass ") + printableText(Of.Pass));
  auto Add = [&Lines](std::string_view Label, const std::string &Text) {
    Lines.push_back(fmt::format("  {:<{}}{}", Label, LabelColumns, Text));
  };
  const size_t Room =
      std::max<size_t>(Columns, LabelColumns + 42) - LabelColumns - 2;
  if (Of.Open.empty()) {
    Add("while in", "nothing that a template asked for");
  } else {
    const OpenStep &Step = Of.Open.back();
    std::string Place = shownPlace(Of, Of.Innermost);
    const size_t Used = std::min(Room - 20, columnsOf(Place) + 2);
    Add(doingWords(Step.Kind),
        stepName(Step, Room - Used) + (Place.empty() ? "" : "  ") + Place);
    const std::vector<const OpenStep *> Outer = outerSteps(Of);
    if (!Outer.empty())
      Add("from", chainText(Outer));
  }
  if (std::string Place = shownPlace(Of, Of.Asked); !Place.empty())
    Add("asked for by",
        Place + (Context.Source.empty() ? "" : "  ") +
            cutText(printableText(Context.Source), SourceColumns));
  const TemplateGrowth &Growth = Of.Growth;
  if (!Growth.Name.empty()) {
    Add("most time",
        timeText(Growth.Ns) + " in " +
            elideName(printableText(growthText(Growth)), 2 * Room));
    if (Growth.Kind != GrowthKind::Unknown)
      Add("to do", remedyText(Growth.Kind));
  }
  if (!Context.Reproducer.empty())
    Add("to reproduce", printableText(Context.Reproducer));
  return Lines;
}

void instantrace::appendUnfinished(JsonObject &Into,
                                   const UnfinishedCompile &Of,
                                   const UnfinishedContext &Context) {
  Into.text("trace", Of.Trace);
  Into.text("input", Of.Input);
  Into.text("end", endWords(Of, Context));
  Into.number("signal", Of.Signal == CrashSignal ? 0 : Of.Signal);
  Into.number("cpu_ns", Of.CpuNs);
  Into.number("peak_bytes", Of.PeakBytes);
  Into.text("innermost", Of.Open.empty() ? "" : Of.Open.back().Name);
  Into.text("innermost_place", shownPlace(Of, Of.Innermost));
  std::vector<std::string> Chain;
  if (!Of.Open.empty())
    for (const OpenStep *Step : outerSteps(Of))
      Chain.push_back(Step->Name);
  Into.texts("from", Chain);
  Into.text("asked_for_by", shownPlace(Of, Of.Asked));
  Into.text("growth", Of.Growth.Name.empty() ? "" : growthText(Of.Growth));
}
