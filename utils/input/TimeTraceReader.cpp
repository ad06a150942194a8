#include "utils/input/TimeTraceReader.h"

#include "runtime/strings/FunctionName.h"
#include "utils/input/TemplightNames.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

/// TraceSession::Hook of what is read.
constexpr std::string_view TimeTraceHook = "time-trace";

/// How an event of a name is recorded.
struct KnownEvent {
  std::string_view Name;
  EventKind Kind;
  EntityKind About;        // of its detail
  bool IsFunction = false; // the detail is a linkage name
};

constexpr KnownEvent KnownEvents[] = {
    {"Source", EventKind::FileInclusion, EntityKind::File},
    {"InstantiateClass", EventKind::TemplateInstantiation, EntityKind::Class},
    {"InstantiateFunction", EventKind::TemplateInstantiation,
     EntityKind::Function},
    {"PerformPendingInstantiations", EventKind::PendingInstantiations,
     EntityKind::Unknown},
    {"Frontend", EventKind::Frontend, EntityKind::Unknown},
    {"Backend", EventKind::CodeGeneration, EntityKind::Unknown},
    {"Optimizer", EventKind::OptimizeModule, EntityKind::Unknown},
    {"PassManager<Function>", EventKind::OptimizeFunction, EntityKind::Function,
     true},
    // Clang 14 and 15
    {"PassManager<llvm::Function>", EventKind::OptimizeFunction,
     EntityKind::Function, true},
    {"CodeGenPasses", EventKind::MachineCode, EntityKind::Unknown},
    {"OptFunction", EventKind::MachineCode, EntityKind::Function, true},
};

/// Has no interval; its detail is the file that is compiled.
constexpr std::string_view ModuleEvent = "OptModule";
/// Sums that follow the events, of a thread of their own.
constexpr std::string_view SumsBegin = "Total ";

/// Of a compile there is one, of a linker's optimizer one for each processor.
constexpr size_t MostThreads = 4096;

/// Longer ones are refused: it may be of another clock.
constexpr double MostMicroseconds = 1e14;
/// Of a time of day, in the year 2286; a later one is none.
constexpr double LatestMicroseconds = 1e16;

struct Event {
  uint64_t BeginNs = 0, EndNs = 0;
  uint32_t Known = 0;
  EntityId Entity;
  bool IsEnded = true;
};

struct Thread {
  std::vector<Event> Events;     // as they are in the file, so by their ends
  std::vector<uint32_t> Sources; // that have begun, in that order
  std::string Input;
  std::map<std::pair<std::string, EntityKind>, EntityId> Known;
  Sequence S;
  std::unique_ptr<TemplightNames> Names;
};

/// What one object of "traceEvents" has.
struct Fields {
  std::string Name, Phase, Detail, File;
  uint64_t Line = 0;
  std::optional<double> Time, Duration;
  double Thread = 0;
};

struct Refusal {
  std::string Place, Found, Expected;
};

/// Called by the parser, from the first byte to the last. Objects and arrays
/// that are no events are passed over.
class EventReader : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit EventReader(size_t FileBytes) : FileBytes(FileBytes) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t Value) override {
    return number(static_cast<double>(Value));
  }
  bool number_unsigned(number_unsigned_t Value) override {
    return number(static_cast<double>(Value));
  }
  bool number_float(number_float_t Value, const string_t &) override {
    return number(Value);
  }
  bool string(string_t &Value) override {
    if (std::string *Field = textField())
      *Field = std::move(Value);
    return true;
  }
  bool binary(binary_t &) override { return true; }
  bool start_object(size_t) override {
    ++Depth;
    if (Depth == EventDepth && InEvents)
      Now = {};
    return true;
  }
  bool end_object() override {
    if (Depth == EventDepth && InEvents) {
      ++EventNumber;
      addEvent();
    }
    leave();
    return true;
  }
  bool start_array(size_t) override {
    ++Depth;
    InEvents |= Depth == EventDepth - 1 && Keys[1] == "traceEvents";
    HasEvents |= InEvents;
    return true;
  }
  bool end_array() override {
    if (Depth == EventDepth - 1)
      InEvents = false;
    leave();
    return true;
  }
  bool key(string_t &Value) override {
    if (Depth < std::size(Keys))
      Keys[Depth] = std::move(Value);
    return true;
  }
  bool parse_error(size_t Byte, const std::string &Token,
                   const nlohmann::json::exception &) override {
    throw Refusal{fmt::format("byte {}", Byte),
                  Byte > FileBytes ? "the end of the file"
                                   : "`" + shortened(Token) + "`",
                  "JSON that goes on to its end"};
  }

  bool hasEvents() const { return HasEvents; }
  uint64_t eventCount() const { return EventNumber; }
  /// The time of day of time 0; 0: not known.
  uint64_t realtimeNs() const { return BeginMicroseconds * 1000; }
  std::map<double, Thread> &threads() { return Threads; }

private:
  // { "traceEvents": [ { "args": { "detail": ...
  static constexpr size_t EventDepth = 3, ArgumentDepth = 4;

  static std::string shortened(const std::string &Token) {
    constexpr size_t MostBytes = 40;
    return Token.size() <= MostBytes ? Token
                                     : Token.substr(0, MostBytes) + "...";
  }

  void leave() {
    if (Depth < std::size(Keys))
      Keys[Depth].clear();
    --Depth;
  }
  bool isField(std::string_view Name) const {
    return InEvents && Depth == EventDepth && Keys[EventDepth] == Name;
  }
  bool isArgument(std::string_view Name) const {
    return InEvents && Depth == ArgumentDepth && Keys[EventDepth] == "args" &&
           Keys[ArgumentDepth] == Name;
  }
  std::string *textField() {
    return isField("name")        ? &Now.Name
           : isField("ph")        ? &Now.Phase
           : isArgument("detail") ? &Now.Detail
           : isArgument("file")   ? &Now.File
                                  : nullptr;
  }
  bool number(double Value) {
    if (isField("ts"))
      Now.Time = Value;
    else if (isField("dur"))
      Now.Duration = Value;
    else if (isField("tid"))
      Now.Thread = Value;
    else if (isArgument("line") && Value >= 0 && Value <= UINT32_MAX)
      Now.Line = static_cast<uint64_t>(Value);
    else if (Depth == 1 && Keys[1] == "beginningOfTime" && Value >= 0 &&
             Value <= LatestMicroseconds)
      BeginMicroseconds = static_cast<uint64_t>(Value);
    return true;
  }

  [[noreturn]] void damaged(std::string Found, std::string Expected) const {
    throw Refusal{fmt::format("event {}", EventNumber), std::move(Found),
                  std::move(Expected)};
  }

  uint64_t nanoseconds(const std::optional<double> &Microseconds,
                       std::string_view What) const {
    if (!Microseconds)
      damaged(fmt::format("no \"{}\"", What), "a number of microseconds");
    if (!(*Microseconds >= 0 && *Microseconds <= MostMicroseconds))
      damaged(fmt::format("\"{}\" of {}", What, *Microseconds),
              fmt::format("0 to {}", MostMicroseconds));
    return static_cast<uint64_t>(std::llround(*Microseconds * 1000));
  }

  Thread &thread() {
    auto Known = Threads.find(Now.Thread);
    if (Known != Threads.end())
      return Known->second;
    if (Threads.size() == MostThreads)
      damaged(fmt::format("thread {}", Now.Thread),
              fmt::format("events of {} at most", MostThreads));
    return Threads[Now.Thread];
  }

  void addEvent() {
    if (Now.Name.starts_with(SumsBegin) || Now.Phase == "M")
      return;
    if (Now.Name == ModuleEvent)
      thread().Input = Now.Detail;
    const auto *Known =
        std::find_if(std::begin(KnownEvents), std::end(KnownEvents),
                     [&](const KnownEvent &E) { return E.Name == Now.Name; });
    if (Known == std::end(KnownEvents))
      return;
    Thread &T = thread();
    uint64_t AtNs = nanoseconds(Now.Time, "ts");
    if (Now.Phase == "e") {
      if (T.Sources.empty())
        damaged("an end with nothing open", "a begin before it");
      Event &Begun = T.Events[T.Sources.back()];
      if (AtNs < Begun.BeginNs)
        damaged(fmt::format("an end at {} ns", AtNs),
                fmt::format("{} ns or later", Begun.BeginNs));
      Begun.EndNs = AtNs;
      Begun.IsEnded = true;
      T.Sources.pop_back();
      return;
    }
    if (Now.Phase != "X" && Now.Phase != "b")
      damaged("\"ph\" `" + shortened(Now.Phase) + "`", "X, b, e or M");
    if (T.Events.size() == UINT32_MAX)
      damaged("one more", "4294967295 of a thread at most");
    Event E;
    E.BeginNs = E.EndNs = AtNs;
    E.Known = static_cast<uint32_t>(Known - std::begin(KnownEvents));
    E.Entity = entity(T, *Known);
    E.IsEnded = Now.Phase == "X";
    if (E.IsEnded)
      E.EndNs += nanoseconds(Now.Duration, "dur");
    else
      T.Sources.push_back(static_cast<uint32_t>(T.Events.size()));
    T.Events.push_back(E);
  }

  EntityId entity(Thread &T, const KnownEvent &Of) {
    if (Of.About == EntityKind::Unknown || Now.Detail.empty())
      return {};
    auto [At, IsNew] = T.Known.try_emplace({Now.Detail, Of.About});
    if (!IsNew)
      return At->second;
    if (!T.Names)
      T.Names = std::make_unique<TemplightNames>(T.S.Names, FileBytes);
    Entity E;
    E.Name = T.Names->text(Of.IsFunction ? shownFunctionName(Now.Detail)
                                         : Now.Detail);
    E.TemplateSet =
        Of.About == EntityKind::File ? E.Name : T.Names->templateSet(E.Name);
    E.Kind = Of.About;
    if (!Now.File.empty()) {
      std::vector<Location> &Rows = T.S.DeclarationLocations.Rows;
      Rows.push_back(
          {T.Names->text(Now.File), static_cast<uint32_t>(Now.Line), 0});
      E.DeclaredAt =
          LocationId::declaration(static_cast<uint32_t>(Rows.size()));
    }
    T.S.Entities.push_back(E);
    return At->second = {static_cast<uint32_t>(T.S.Entities.size())};
  }

  size_t FileBytes;
  size_t Depth = 0;
  bool InEvents = false, HasEvents = false;
  std::string Keys[ArgumentDepth + 1]; // by depth
  Fields Now;
  uint64_t EventNumber = 0, BeginMicroseconds = 0;
  std::map<double, Thread> Threads; // by number
};

/// By begin, parents before children; of those that are at the same time, the
/// one that ended last in the file is around the others.
void addIntervals(std::vector<Event> &Events, Sequence &S) {
  std::reverse(Events.begin(), Events.end());
  std::stable_sort(Events.begin(), Events.end(),
                   [](const Event &A, const Event &B) {
                     return A.BeginNs != B.BeginNs ? A.BeginNs < B.BeginNs
                                                   : A.EndNs > B.EndNs;
                   });
  std::vector<uint32_t> Open;
  uint64_t FirstNs = Events.empty() ? 0 : Events.front().BeginNs;
  for (const Event &E : Events) {
    Interval I;
    I.BeginNs = E.BeginNs - FirstNs;
    I.EndNs = E.EndNs - FirstNs;
    I.Kind = KnownEvents[E.Known].Kind;
    I.Entity = E.Entity;
    I.Definition = I.Kind == EventKind::TemplateInstantiation;
    I.Open = false;
    while (!Open.empty() && S.Intervals[Open.back()].EndNs <= I.BeginNs)
      Open.pop_back();
    if (!Open.empty()) {
      I.Parent.Value = Open.back();
      I.EndNs = std::min(I.EndNs, S.Intervals[Open.back()].EndNs);
    }
    S.LastTimeNs = std::max(S.LastTimeNs, I.EndNs);
    Open.push_back(static_cast<uint32_t>(S.Intervals.size()));
    S.Intervals.push_back(I);
  }
  S.EventCount = 2 * S.Intervals.size();
}

std::string inputOf(const Thread &T, const std::string &Name) {
  if (!T.Input.empty())
    return T.Input;
  std::string_view Base(Name);
  if (Base.ends_with(".json"))
    Base.remove_suffix(std::string_view(".json").size());
  return std::string(Base);
}

} // namespace

void TimeTraceCount::add(const Trace &T) {
  All += T.Sequences.size();
  Count += static_cast<uint64_t>(std::count_if(
      T.Sequences.begin(), T.Sequences.end(), [](const Sequence &S) {
        return S.Session && S.Session->Hook == TimeTraceHook;
      }));
}

std::string TimeTraceCount::note() const {
  if (Count == 0)
    return {};
  return fmt::format(
      "{} of {} compiles by -ftime-trace, which does not tell who asked, "
      "where, and what was memoized; what is shorter than its granularity "
      "counts in what surrounds it",
      Count, All);
}

bool instantrace::isTimeTrace(std::string_view Bytes) {
  // A line feed would be the tag of a trace's packet.
  if (Bytes.empty() || Bytes[0] != '{')
    return false;
  size_t At = Bytes.find_first_not_of(" \t\r\n", 1);
  return At != std::string_view::npos && (Bytes[At] == '"' || Bytes[At] == '}');
}

Result<void> instantrace::readTimeTrace(std::string_view Bytes,
                                        const std::string &Name, Trace &Into) {
  EventReader Reader(Bytes.size());
  auto Refused = [&Name](const std::string &Place, std::string_view Found,
                         std::string_view Expected) {
    return makeError(Name + ": -ftime-trace, " + Place, Found, Expected);
  };
  try {
    nlohmann::json::sax_parse(Bytes.begin(), Bytes.end(), &Reader);
  } catch (const Refusal &D) {
    return Refused(D.Place, D.Found, D.Expected);
  }
  if (!Reader.hasEvents())
    return Refused("byte 0", "JSON without \"traceEvents\"",
                   "what -ftime-trace writes, or an .itrace file");
  TraceInput &Input = Into.Files.emplace_back();
  Input.Name = Name;
  Input.SizeBytes = Bytes.size();
  for (auto &[Number, T] : Reader.threads()) {
    if (T.Events.empty())
      continue;
    if (!T.Sources.empty())
      return Refused("the last event",
                     fmt::format("{} begun and not ended", T.Sources.size()),
                     "an end for each begin");
    addIntervals(T.Events, T.S);
    T.S.Id = static_cast<uint32_t>(++Input.SequenceCount);
    T.S.FileIndex = static_cast<uint32_t>(Into.Files.size() - 1);
    TraceSession &Session = T.S.Session.emplace();
    Session.Hook = TimeTraceHook;
    Session.Input = inputOf(T, Name);
    if (uint64_t RealtimeNs = Reader.realtimeNs(); RealtimeNs != 0)
      Session.RealtimeNs = RealtimeNs + T.Events.front().BeginNs;
    Session.Memoization = MemoizationMode::Off;
    TraceFooter &Footer = T.S.Footer.emplace();
    Footer.EndTimeNs = T.S.LastTimeNs;
    Footer.EventsRecorded = T.S.EventCount;
    Into.Sequences.push_back(std::move(T.S));
  }
  Input.PacketCount = Input.SequenceCount;
  if (Input.SequenceCount == 0)
    return Refused("all events",
                   fmt::format("none of {} by Clang", Reader.eventCount()),
                   "such as Frontend, Source or InstantiateClass");
  return {};
}
