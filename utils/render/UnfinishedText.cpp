#include "utils/render/UnfinishedText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <string_view>

using namespace instantrace;

namespace {

constexpr size_t LabelColumns = 22;
/// Steps at the ends of the chain are shown.
constexpr size_t InnerSteps = 3, OuterSteps = 1, StepColumns = 32;
constexpr size_t SourceColumns = 60;
/// A part of the memory so large that the system may have ended it.
constexpr uint64_t MemoryShare = 4;
/// A stack that overflows has at least so many levels.
constexpr size_t OverflowLevels = 100;
/// Less syntax tree, or less memory, is not worth a word.
constexpr uint64_t LeastAstBytes = 10'000'000, LeastGrownBytes = 50'000'000;

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

/// "signal 9, SIGKILL": it is in parentheses.
std::string signalWords(uint32_t Signal) {
  std::string Text = signalText(Signal);
  if (size_t Name = Text.find(" ("); Name != Text.npos)
    Text.replace(Name, 2, ", ").pop_back();
  return Text;
}

std::string shownPlace(const UnfinishedCompile &Compile,
                       const ProgramPlace &Place) {
  if (Place.LineNo == 0)
    return {};
  const ProjectFolders Folders =
      project().Base.empty() ? ProjectFolders{Compile.WorkingDirectory, {}}
                             : project();
  return printableText(Folders.shown(Place.Path, Compile.WorkingDirectory)) +
         ":" + std::to_string(Place.LineNo);
}

bool isBalanced(std::string_view Name) {
  auto Count = [Name](char C) {
    return std::count(Name.begin(), Name.end(), C);
  };
  return Count('<') == Count('>') && Count('(') == Count(')');
}

/// Steps of one template differ in their first arguments: `Walk<12, int, …>`.
std::string stepName(const OpenStep &Step, size_t Columns) {
  if (Step.Name.empty())
    return std::string(eventKindName(Step.Kind));
  const std::string Name = printableText(Step.Name);
  std::string Short = elideName(Name, Columns);
  const std::string Rest = std::string(Ellipsis) + ">";
  if (!Short.ends_with("<" + Rest) || Short == Name)
    return Short;
  const std::string Arguments = nameToLevel(Name, 1);
  constexpr size_t MostBytesPerColumn = 4;
  for (size_t Comma = Arguments.rfind(", ", Columns * MostBytesPerColumn);
       Comma != Arguments.npos && Comma != 0;
       Comma = Arguments.rfind(", ", Comma - 1)) {
    std::string Cut = Arguments.substr(0, Comma + 2) + Rest;
    if (columnsOf(Cut) <= Columns && isBalanced(Cut))
      return Cut;
  }
  return Short;
}

/// Different names outwards of the innermost step's, the innermost first:
/// several kinds of work for one entity are one step.
std::vector<const OpenStep *> outerSteps(const UnfinishedCompile &Compile) {
  std::vector<const OpenStep *> Steps;
  const std::string *Last = &Compile.Open.back().Name;
  for (size_t I = Compile.Open.size() - 1; I-- != 0;) {
    const OpenStep &Step = Compile.Open[I];
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

std::string growthText(const TemplateGrowth &Growth) {
  std::string Text =
      Growth.Name + ": " + counted(Growth.Specializations, "specialization");
  switch (Growth.Kind) {
  case GrowthKind::Doubling:
    return Text + ", each twice the last: exponential";
  case GrowthKind::Linear:
    return Text + ", one inside the other: linear recursion";
  case GrowthKind::Unknown:
    break;
  }
  return Text;
}

/// "210 MB in Cat<$>: 24 MB, 49 MB, 99 MB in its newest specializations", where
/// that says more than their number.
std::string memoryText(const TemplateGrowth &Memory, size_t NameColumns) {
  std::string Newest;
  const size_t Shown = Memory.Kind == GrowthKind::Linear ? 0 : 3;
  const size_t Count = Memory.Newest.size();
  for (size_t I = Count - std::min(Count, Shown); I != Count; ++I)
    if (uint64_t Bytes = Memory.Newest[I].MemoryBytes)
      Newest += (Newest.empty() ? ": " : ", ") + sizeText(Bytes);
  return sizeText(Memory.MemoryBytes) + " in " +
         elideName(printableText(Memory.Name), NameColumns) +
         (Newest.empty() ? "" : Newest + " in its newest specializations");
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

/// An array, with nothing in it where nothing stands out.
void appendGrowth(JsonObject &Into, std::string_view Name,
                  const TemplateGrowth &Growth) {
  std::vector<const TemplateGrowth *> Each;
  if (!Growth.Name.empty())
    Each.push_back(&Growth);
  Into.objects(Name, Each, [](JsonObject &Item, const TemplateGrowth *Grown) {
    Item.text("template", Grown->Name);
    Item.number("specializations", Grown->Specializations);
    Item.number("self_ns", Grown->Ns);
    Item.number("ast_bytes", Grown->AstBytes);
    Item.number("memory_bytes", Grown->MemoryBytes);
    Item.objects("newest", Grown->Newest,
                 [](JsonObject &In, const SpecializationGrowth &Newest) {
                   In.text("name", Newest.Name);
                   In.number("ns", Newest.Ns);
                   In.number("ast_bytes", Newest.AstBytes);
                   In.number("memory_bytes", Newest.MemoryBytes);
                 });
  });
}

} // namespace

std::string instantrace::endWords(const UnfinishedCompile &Compile,
                                  const UnfinishedContext &Context) {
  if (!Context.EndedBy.empty())
    return "ended by " + Context.EndedBy;
  if (Compile.IsRunning)
    return "still running";
  if (Compile.DepthLimit != 0)
    return "failed at -ftemplate-depth=" + std::to_string(Compile.DepthLimit);
  if (Compile.State == ExitState::FatalError)
    return "failed by a fatal error";
  if (Compile.State == ExitState::Errors)
    return "failed by an error";
  const bool IsLarge = Context.MemoryBytes != 0 &&
                       Compile.PeakBytes >= Context.MemoryBytes / MemoryShare;
  const char *Memory = Compile.RanOutOfMemory ? ", out of memory"
                       : IsLarge              ? ", out of memory?"
                                              : "";
  const auto IsSignal = [&Compile](int Signal) {
    return Compile.Signal == static_cast<uint32_t>(Signal);
  };
  // Its parent was faster than whoever watched it.
  if (Compile.Signal == 0)
    return std::string("ended (it is not known how") + Memory + ")";
  if (isCrash(Compile.Signal)) {
    const bool IsDeep = (IsSignal(SIGSEGV) || IsSignal(SIGBUS)) &&
                        Compile.Open.size() > OverflowLevels;
    return "crashed (" +
           (Compile.Signal == CrashSignal ? "signal not known"
                                          : signalWords(Compile.Signal)) +
           (IsDeep ? ", stack overflow?" : Memory) + ")";
  }
  if (IsSignal(SIGKILL))
    return "killed (" + signalWords(Compile.Signal) + Memory + ")";
  return std::string(IsSignal(SIGINT) ? "interrupted" : "stopped") + " (" +
         signalWords(Compile.Signal) + ")";
}

std::vector<std::string>
instantrace::unfinishedLines(const UnfinishedCompile &Compile,
                             const UnfinishedContext &Context, size_t Columns) {
  std::vector<std::string> Lines;
  Lines.push_back(
      printableText(Compile.Input.empty() ? Compile.Trace : Compile.Input) +
      ": " + endWords(Compile, Context) + " after " + timeText(Compile.CpuNs) +
      " of CPU time" +
      (Compile.PeakBytes ? " at " + sizeText(Compile.PeakBytes) : "") +
      (Compile.Pass.empty() ? "" : " in the pass ") +
      printableText(Compile.Pass));
  auto Add = [&Lines](std::string_view Label, const std::string &Text) {
    Lines.push_back(fmt::format("  {:<{}}{}", Label, LabelColumns, Text));
  };
  const size_t Room =
      std::max<size_t>(Columns, LabelColumns + 42) - LabelColumns - 2;
  if (Compile.Open.empty()) {
    Add("while in", "nothing that a template asked for");
  } else {
    const OpenStep &Step = Compile.Open.back();
    std::string Place = shownPlace(Compile, Compile.Innermost);
    const size_t Used = std::min(Room - 20, columnsOf(Place) + 2);
    Add(doingWords(Step.Kind),
        stepName(Step, Room - Used) + (Place.empty() ? "" : "  ") + Place);
    const std::vector<const OpenStep *> Outer = outerSteps(Compile);
    if (!Outer.empty())
      Add("from", chainText(Outer));
  }
  if (std::string Place = shownPlace(Compile, Compile.Asked); !Place.empty())
    Add("asked for by",
        Place + (Context.Source.empty() ? "" : "  ") +
            cutText(printableText(Context.Source), SourceColumns));
  const TemplateGrowth &Growth = Compile.Growth;
  if (!Growth.Name.empty()) {
    const bool IsLarge = Growth.AstBytes >= LeastAstBytes;
    Add("most time",
        timeText(Growth.Ns) +
            (IsLarge ? " and " + sizeText(Growth.AstBytes) + " of syntax tree"
                     : "") +
            " in " + elideName(printableText(growthText(Growth)), 2 * Room));
  }
  if (Compile.Memory.MemoryBytes >= LeastGrownBytes)
    Add("memory", "grew by " + memoryText(Compile.Memory, Room));
  if (Growth.Kind != GrowthKind::Unknown)
    Add("to do", remedyText(Growth.Kind));
  if (!Context.Reproducer.empty())
    Add("to reproduce", printableText(Context.Reproducer));
  return Lines;
}

void instantrace::appendUnfinished(JsonObject &Into,
                                   const UnfinishedCompile &Compile,
                                   const UnfinishedContext &Context) {
  Into.text("trace", Compile.Trace);
  Into.text("input", Compile.Input);
  Into.text("end", endWords(Compile, Context));
  Into.number("signal", Compile.Signal == CrashSignal ? 0 : Compile.Signal);
  Into.number("cpu_ns", Compile.CpuNs);
  Into.number("peak_bytes", Compile.PeakBytes);
  Into.text("innermost", Compile.Open.empty() ? "" : Compile.Open.back().Name);
  Into.text("innermost_place", shownPlace(Compile, Compile.Innermost));
  std::vector<std::string> Chain;
  if (!Compile.Open.empty())
    for (const OpenStep *Step : outerSteps(Compile))
      Chain.push_back(Step->Name);
  Into.texts("from", Chain);
  Into.text("asked_for_by", shownPlace(Compile, Compile.Asked));
  Into.text("growth",
            Compile.Growth.Name.empty() ? "" : growthText(Compile.Growth));
  appendGrowth(Into, "most_time", Compile.Growth);
  appendGrowth(Into, "most_memory", Compile.Memory);
}
