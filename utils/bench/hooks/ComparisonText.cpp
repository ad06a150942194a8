#include "utils/bench/hooks/ComparisonText.h"

#include "utils/bench/hooks/Coverage.h"
#include "utils/bench/hooks/Ranking.h"
#include "utils/bench/hooks/SetTimes.h"
#include "utils/render/JsonText.h"

#include <fmt/format.h>
#include <iterator>

using namespace instantrace;

namespace {

constexpr size_t RankingSizes[] = {20, 50};

/// Why a trace cannot be compared; empty: it can.
std::string fault(const Trace &T) {
  const TraceInput &File = T.Files.front();
  if (T.Sequences.size() != 1)
    return fmt::format("{}: {} compiles; expected one", File.Name,
                       T.Sequences.size());
  if (const TraceIssue *Damage = File.damage())
    return Damage->message(File.Name);
  const Sequence &S = T.Sequences.front();
  if (!S.Session || !S.Footer)
    return File.Name + ": no " + (S.Session ? "footer" : "session") +
           "; expected the trace of a whole compile";
  if (S.Session->GranularityNs != 0)
    return fmt::format("{}: granularity {} ns; expected 0, as a leaf that is "
                       "left out has no template set",
                       File.Name, S.Session->GranularityNs);
  if (S.Footer->EventsDropped != 0)
    return fmt::format("{}: {} events were dropped; expected none", File.Name,
                       S.Footer->EventsDropped);
  return "";
}

std::string fault(const Trace &Callback, const Trace &Observer) {
  for (const Trace *T : {&Callback, &Observer})
    if (std::string Fault = fault(*T); !Fault.empty())
      return Fault;
  const TraceSession &C = *Callback.Sequences.front().Session;
  const TraceSession &O = *Observer.Sequences.front().Session;
  auto describe = [](const TraceSession &S) {
    return fmt::format("process {}, '{}'", S.Pid, S.Input);
  };
  if (C.Pid == O.Pid && C.Input == O.Input)
    return "";
  return fmt::format("{}: {}; expected the compile of {}: {}",
                     Observer.Files.front().Name, describe(O),
                     Callback.Files.front().Name, describe(C));
}

void share(JsonObject &Json, std::string &Out, std::string_view Name,
           double Value) {
  Json.name(Name);
  fmt::format_to(std::back_inserter(Out), "{:.6f}", Value);
}

/// Of nothing, all of it is there.
void share(JsonObject &Json, std::string &Out, std::string_view Name,
           uint64_t Part, uint64_t Whole) {
  share(Json, Out, Name,
        Whole == 0 ? 1
                   : static_cast<double>(Part) / static_cast<double>(Whole));
}

void differences(JsonObject &Json, std::string &Out, const Difference &D) {
  Json.number("callback_ns", D.CallbackNs);
  Json.number("observer_ns", D.ObserverNs);
  share(Json, Out, "difference", D.share());
  share(Json, Out, "bias", D.bias());
}

/// \p Instantiations: sets of these alone.
void measure(std::string &Out, const std::vector<PairedSet> &Sets,
             const std::vector<PairedSet> &Instantiations, Measure M) {
  JsonObject Json(Out);
  differences(Json, Out, difference(Sets, M));
  Json.name("instantiations");
  {
    JsonObject Alone(Out);
    differences(Alone, Out, difference(Instantiations, M));
  }
  for (size_t N : RankingSizes) {
    Ranking R = ranking(Sets, M, N);
    Json.name(fmt::format("top_{}", N));
    JsonObject Top(Out);
    Top.number("compared", R.Compared);
    share(Top, Out, "share", R.share());
    Top.number("violations", R.Violations);
  }
}

void coverage(std::string &Out, const SpecializationCoverage &C) {
  JsonObject Json(Out);
  Json.number("callback", C.InCallback);
  Json.number("timed", C.Timed);
  Json.number("counted", C.Counted);
  share(Json, Out, "share", C.seen(), C.InCallback);
  Json.name("definitions");
  {
    JsonObject Definitions(Out);
    Definitions.number("callback", C.DefinedInCallback);
    Definitions.number("observer", C.DefinedInObserver);
    Definitions.number("both", C.DefinedInBoth);
    share(Definitions, Out, "share", C.DefinedInBoth, C.DefinedInCallback);
  }
}

void requests(std::string &Out, const RequestAgreement &R) {
  JsonObject Json(Out);
  Json.number("entities", R.Entities);
  Json.number("same", R.Same);
  Json.number("outer", R.Outer);
  share(Json, Out, "share", R.Same, R.Entities);
}

void counts(std::string &Out, const Trace &T) {
  const Sequence &S = T.Sequences.front();
  uint64_t Hits = 0;
  for (const MemoizedHits &M : S.Memoized)
    Hits += M.Hits;
  JsonObject Json(Out);
  Json.text("hook", S.Session->Hook);
  Json.number("events", S.EventCount);
  Json.number("intervals", S.Intervals.size());
  Json.number("memoized_hits", Hits);
  Json.number("trace_bytes", T.Files.front().SizeBytes);
}

} // namespace

Result<std::string>
instantrace::compareHooks(Trace &Callback, Trace &Observer,
                          std::vector<StoppedClock::Span> OwnWork) {
  if (std::string Fault = fault(Callback, Observer); !Fault.empty())
    return Error{Fault};
  Sequence &C = Callback.Sequences.front(), &O = Observer.Sequences.front();
  // Of times as they were recorded: whether there is any is the question.
  SpecializationCoverage Coverage = specializationCoverage(C, O);
  removeOwnWork(C, O, std::move(OwnWork));
  std::vector<PairedSet> Sets = pairedSets(C, O);
  std::vector<PairedSet> Instantiations = pairedSets(C, O, InstantiationsAlone);
  std::string Out;
  {
    JsonObject Json(Out);
    Json.text("input", C.Session->Input);
    Json.text("clang", C.Session->ClangVersion);
    Json.name("callback");
    counts(Out, Callback);
    Json.name("observer");
    counts(Out, Observer);
    Json.number("sets", Sets.size());
    Json.name("inclusive");
    measure(Out, Sets, Instantiations, Measure::Inclusive);
    Json.name("self");
    measure(Out, Sets, Instantiations, Measure::Self);
    Json.name("specializations");
    coverage(Out, Coverage);
    Json.name("requested");
    requests(Out, requestAgreement(C, O));
  }
  Out.push_back('\n');
  return Out;
}
