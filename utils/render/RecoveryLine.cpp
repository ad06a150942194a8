#include "utils/render/RecoveryLine.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"

using namespace instantrace;

namespace {

std::string contentText(const RecoveryReport &R) {
  std::string Text = "recovered " + counted(R.Events, "event");
  auto Part = [&Text](uint64_t Count, const char *Noun, const char *Plural) {
    if (Count != 0)
      Text += ", " + counted(Count, Noun, Plural);
  };
  Part(R.OpenIntervals, "interval open", "intervals open");
  Part(R.Missing.Short, "entity with a short name",
       "entities with a short name");
  Part(R.Missing.None, "entity without name", "entities without name");
  Part(R.FragmentsDropped, "fragment dropped", "fragments dropped");
  Part(R.EventsDropped, "event dropped", "events dropped");
  return Text;
}

std::string endText(const RecoveryReport &R) {
  if (R.IsRunning)
    return "the compiler" +
           (R.Pid == 0 ? "" : ", process " + std::to_string(R.Pid) + ",") +
           " is still running";
  if (R.IsComplete)
    return "it is complete";
  std::string Killed = R.Events == 0 ? "the compiler was killed before its "
                                       "first event"
                                     : "the compiler was killed";
  return R.Signal == 0 ? Killed : Killed + " by " + signalText(R.Signal);
}

const char *outcomeName(RecoveryReport::OutcomeKind Outcome) {
  switch (Outcome) {
  case RecoveryReport::Failed:
    return "failed";
  case RecoveryReport::Recovered:
    return "recovered";
  case RecoveryReport::Skipped:
    return "skipped";
  case RecoveryReport::Finished:
    return "finished";
  }
  return "";
}

} // namespace

std::string instantrace::recoveryLine(const RecoveryReport &R) {
  std::string Line;
  switch (R.Outcome) {
  case RecoveryReport::Failed:
    return {};
  case RecoveryReport::Recovered:
    Line = R.Output + ": " + contentText(R) + "; " + endText(R);
    if (!R.Kept.empty())
      Line += "; " + R.Kept + " is complete and stays";
    break;
  case RecoveryReport::Skipped:
    Line = R.Input + ": skipped: " + endText(R);
    break;
  case RecoveryReport::Finished:
    Line = R.Input +
           ": nothing to recover: the compile has finished, and its "
           "trace is " +
           R.Output;
    break;
  }
  return printableText(Line) + "\n";
}

void instantrace::appendRecoveryJson(std::string &Out,
                                     const RecoveryReport &R) {
  {
    JsonAnswer Object(Out);
    Object.text("input", R.Input);
    Object.text("outcome", outcomeName(R.Outcome));
    Object.text("output", R.Output);
    if (!R.Kept.empty())
      Object.text("kept", R.Kept);
    if (!R.Error.empty())
      Object.text("error", R.Error);
    Object.number("pid", R.Pid);
    Object.boolean("running", R.IsRunning);
    Object.boolean("complete", R.IsComplete);
    Object.number("signal", R.Signal);
    Object.number("events", R.Events);
    Object.number("open_intervals", R.OpenIntervals);
    Object.number("short_names", R.Missing.Short);
    Object.number("unnamed_entities", R.Missing.None);
    Object.number("fragments_dropped", R.FragmentsDropped);
    Object.number("events_dropped", R.EventsDropped);
    Object.texts("problems", R.Problems);
  }
  Out.push_back('\n');
}
