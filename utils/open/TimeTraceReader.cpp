#include "utils/open/TimeTraceReader.h"

#include "runtime/read/IssueSink.h"
#include "runtime/strings/FunctionName.h"
#include "runtime/strings/NameTokens.h"
#include "utils/open/CompressedTrace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

/// TraceSession::Hook of what is read.
constexpr std::string_view TimeTraceHook = "time-trace";
/// Up to Clang 17 a file ends whatever began last: the next file seems to be in
/// the one before it.
constexpr std::string_view OldTimeTraceHook = "time-trace of Clang 17 or older";
/// TraceIssue::Invariant of what is cut.
constexpr std::string_view NestedInvariant = "nested";
/// Rounding makes this much of an end; it is no overlap.
constexpr uint64_t RoundingNs = 1000;

bool isMicrosoftName(std::string_view LinkageName) {
  return LinkageName.starts_with('?');
}

/// As everything here takes paths apart. Elsewhere a file's name may have
/// backslashes.
std::string withSlashes(std::string Path) {
  bool HasDrive = Path.size() > 2 && Path[1] == ':' && Path[2] == '\\';
  if (HasDrive || Path.find('/') == Path.npos)
    std::replace(Path.begin(), Path.end(), '\\', '/');
  return Path;
}

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
  uint64_t firstNs() const { return Events.front().BeginNs; }
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
  /// Those with events of Clang.
  std::map<double, Thread> &threads() { return Threads; }
  bool hasOldSources() const { return HasOldSources; }
  const std::set<std::string> &inputs() const { return Inputs; }
  /// With names and entities.
  Sequence &sequence() { return S; }

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
      Inputs.insert(withSlashes(Now.Detail));
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
      Event &Begin = T.Events[T.Sources.back()];
      if (AtNs < Begin.BeginNs)
        damaged(fmt::format("an end at {} ns", AtNs),
                fmt::format("{} ns or later", Begin.BeginNs));
      Begin.EndNs = AtNs;
      Begin.IsEnded = true;
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
    E.Entity = entity(*Known);
    E.IsEnded = Now.Phase == "X";
    HasOldSources |= E.IsEnded && Known->Kind == EventKind::FileInclusion;
    if (E.IsEnded)
      E.EndNs += nanoseconds(Now.Duration, "dur");
    else
      T.Sources.push_back(static_cast<uint32_t>(T.Events.size()));
    T.Events.push_back(E);
  }

  NameId name(const std::string &Text) {
    auto [Entry, IsNew] = Names.try_emplace(Text);
    if (IsNew) {
      // Its NULs are its own.
      std::vector<uint32_t> Markers(
          static_cast<size_t>(std::count(Text.begin(), Text.end(), '\0')));
      S.Names.add(Text, Markers);
      Entry->second = {S.Names.size()};
    }
    return Entry->second;
  }

  EntityId entity(const KnownEvent &Event) {
    if (Event.About == EntityKind::Unknown || Now.Detail.empty())
      return {};
    auto [Entry, IsNew] = Known.try_emplace({Now.Detail, Event.About});
    if (!IsNew)
      return Entry->second;
    Entity E;
    if (Event.About == EntityKind::File) {
      E.Name = E.TemplateSet = name(withSlashes(Now.Detail));
    } else {
      std::string Shown =
          Event.IsFunction ? shownFunctionName(Now.Detail) : Now.Detail;
      E.Name = name(Shown);
      E.TemplateSet = name(templateSetOf(Shown));
    }
    E.Kind = Event.About;
    if (!Now.File.empty()) {
      std::vector<Location> &Rows = S.DeclarationLocations.Rows;
      Rows.push_back(
          {name(withSlashes(Now.File)), static_cast<uint32_t>(Now.Line), 0});
      E.DeclaredAt =
          LocationId::declaration(static_cast<uint32_t>(Rows.size()));
    }
    S.Entities.push_back(E);
    return Entry->second = {static_cast<uint32_t>(S.Entities.size())};
  }

  size_t FileBytes;
  size_t Depth = 0;
  bool InEvents = false, HasEvents = false;
  std::string Keys[ArgumentDepth + 1]; // by depth
  Fields Now;
  uint64_t EventNumber = 0, BeginMicroseconds = 0;
  std::map<double, Thread> Threads; // by number
  bool HasOldSources = false;
  std::set<std::string> Inputs;
  Sequence S;
  std::unordered_map<std::string, NameId> Names;
  std::map<std::pair<std::string, EntityKind>, EntityId> Known;
};

/// By begin, parents before children; of those that are at the same time, the
/// one that ended last in the file is around the others. They follow what \p S
/// has of other threads.
void addIntervals(std::vector<Event> &Events, Sequence &S, IssueSink &Issues) {
  std::reverse(Events.begin(), Events.end());
  std::stable_sort(Events.begin(), Events.end(),
                   [](const Event &A, const Event &B) {
                     return A.BeginNs != B.BeginNs ? A.BeginNs < B.BeginNs
                                                   : A.EndNs > B.EndNs;
                   });
  std::vector<uint32_t> Open;
  const uint64_t FirstNs = Events.front().BeginNs, BehindNs = S.LastTimeNs;
  for (const Event &E : Events) {
    Interval I;
    I.BeginNs = E.BeginNs - FirstNs + BehindNs;
    I.EndNs = E.EndNs - FirstNs + BehindNs;
    I.Kind = KnownEvents[E.Known].Kind;
    I.Entity = E.Entity;
    I.Definition = I.Kind == EventKind::TemplateInstantiation;
    I.Open = false;
    while (!Open.empty() && S.Intervals[Open.back()].EndNs <= I.BeginNs)
      Open.pop_back();
    if (!Open.empty()) {
      I.Parent.Value = Open.back();
      const uint64_t MostNs = S.Intervals[Open.back()].EndNs;
      if (I.EndNs > MostNs + RoundingNs)
        Issues.note(NestedInvariant, fmt::format("an end at {} ns", I.EndNs),
                    fmt::format("{} ns, that of what is around it", MostNs));
      I.EndNs = std::min(I.EndNs, MostNs);
    }
    S.LastTimeNs = std::max(S.LastTimeNs, I.EndNs);
    Open.push_back(static_cast<uint32_t>(S.Intervals.size()));
    S.Intervals.push_back(I);
  }
}

/// A linker's optimizer has many, of which none is the input.
std::string inputOf(const EventReader &Reader, const std::string &Name) {
  if (Reader.inputs().size() == 1)
    return *Reader.inputs().begin();
  std::string_view Base(Name);
  for (std::string_view Ending : {GzipEnding, std::string_view(".json")})
    if (Base.ends_with(Ending))
      Base.remove_suffix(Ending.size());
  return std::string(Base);
}

bool hasMicrosoftNames(const Sequence &S) {
  return std::any_of(S.Entities.begin(), S.Entities.end(),
                     [&](const Entity &E) {
                       return E.Kind == EntityKind::Function &&
                              isMicrosoftName(S.Names.text(E.Name, 1));
                     });
}

} // namespace

void TimeTraceCount::add(const Trace &T) {
  All += T.Sequences.size();
  for (const Sequence &S : T.Sequences) {
    if (!S.Session || !S.Session->Hook.starts_with(TimeTraceHook))
      continue;
    ++Count;
    Old += S.Session->Hook == OldTimeTraceHook;
    HasMicrosoftNames |= hasMicrosoftNames(S);
    const TraceInput &File = T.Files[S.FileIndex];
    Cut += File.IssuesNotKept + static_cast<uint64_t>(std::count_if(
                                    File.Issues.begin(), File.Issues.end(),
                                    [](const TraceIssue &Issue) {
                                      return Issue.Invariant == NestedInvariant;
                                    }));
  }
}

TimeTraceCount &TimeTraceCount::operator+=(const TimeTraceCount &More) {
  Count += More.Count;
  All += More.All;
  Old += More.Old;
  Cut += More.Cut;
  HasMicrosoftNames |= More.HasMicrosoftNames;
  return *this;
}

std::string TimeTraceCount::note() const {
  if (Count == 0)
    return {};
  std::string Note = fmt::format(
      "{} of {} compiles by -ftime-trace, which does not tell who asked, "
      "where, and what was memoized; what is shorter than its granularity "
      "counts in what surrounds it",
      Count, All);
  if (Old != 0)
    Note += fmt::format("; {} of them by Clang 17 or older, where a file may "
                        "seem to be included by the one before it",
                        Old);
  if (Cut != 0)
    Note += fmt::format("; {} that overlap{} others {} cut at the end of what "
                        "{} in",
                        Cut == 1 ? "1 event" : fmt::format("{} events", Cut),
                        Cut == 1 ? "s" : "", Cut == 1 ? "is" : "are",
                        Cut == 1 ? "it is" : "they are");
  if (HasMicrosoftNames)
    Note += "; names that begin with ? are as Microsoft's linker has them";
  return Note;
}

bool instantrace::isTimeTrace(std::string_view Bytes) {
  constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
  if (Bytes.starts_with(ByteOrderMark))
    Bytes.remove_prefix(ByteOrderMark.size());
  // A line feed would be the tag of a trace's packet.
  if (Bytes.empty() || Bytes[0] != '{')
    return false;
  size_t Offset = Bytes.find_first_not_of(" \t\r\n", 1);
  return Offset != std::string_view::npos &&
         (Bytes[Offset] == '"' || Bytes[Offset] == '}');
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
  IssueSink Issues(Input);
  Sequence &S = Reader.sequence();
  uint64_t FirstNs = UINT64_MAX;
  for (auto &[Number, T] : Reader.threads()) {
    if (!T.Sources.empty())
      return Refused("the last event",
                     fmt::format("{} begun and not ended", T.Sources.size()),
                     "an end for each begin");
    FirstNs = std::min(FirstNs, T.firstNs());
    addIntervals(T.Events, S, Issues);
  }
  if (S.Intervals.empty())
    return Refused("all events",
                   fmt::format("none of {} by Clang", Reader.eventCount()),
                   "such as Frontend, Source or InstantiateClass");
  S.Id = 1;
  S.FileIndex = static_cast<uint32_t>(Into.Files.size() - 1);
  S.EventCount = 2 * S.Intervals.size();
  TraceSession &Session = S.Session.emplace();
  Session.Hook = Reader.hasOldSources() ? OldTimeTraceHook : TimeTraceHook;
  Session.Input = inputOf(Reader, Name);
  if (uint64_t RealtimeNs = Reader.realtimeNs(); RealtimeNs != 0)
    Session.RealtimeNs = RealtimeNs + FirstNs;
  Session.Memoization = MemoizationMode::Off;
  TraceFooter &Footer = S.Footer.emplace();
  Footer.EndTimeNs = S.LastTimeNs;
  Footer.EventsRecorded = S.EventCount;
  Input.PacketCount = 1;
  Into.Sequences.push_back(std::move(S));
  return {};
}
