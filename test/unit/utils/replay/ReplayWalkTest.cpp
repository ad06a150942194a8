/// \file
/// Random sessions of the debugger beside one that walks all events.
#include "utils/replay/Replay.h"

#include "test/unit/support/IndexSamples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace instantrace;
using namespace instantrace::test;

namespace {

using Random = std::mt19937;

uint32_t below(Random &Source, uint32_t Limit) {
  return static_cast<uint32_t>(Source() % Limit);
}

SampleCompile randomCompile(Random &Source) {
  SampleCompile C;
  uint64_t Ns = below(Source, 5);
  const bool HasMemory = below(Source, 2), IsDeep = below(Source, 3) == 0;
  const uint32_t Events = below(Source, 120), Gap = below(Source, 2) ? 4 : 400;
  for (uint32_t I = 0; I != Events; ++I) {
    Ns += below(Source, 3) == 0 ? 0 : below(Source, Gap);
    if (!C.Open.empty() && below(Source, IsDeep ? 8 : 2) == 0) {
      C.Intervals[C.Open.back()].AstBytes = HasMemory ? below(Source, 100) : 0;
      C.Intervals[C.Open.back()].IsDefinition = below(Source, 2);
      C.end(Ns);
      continue;
    }
    SampleInterval With;
    With.Entity = below(Source, SampleEntities + 1);
    With.Location = below(Source, SampleLocations + 1);
    With.Kind = below(Source, 4) == 0 ? 2 : 1;
    C.begin(Ns, With);
  }
  if (below(Source, 2))
    while (!C.Open.empty())
      C.end(Ns += below(Source, 3));
  C.finish();
  return C;
}

/// All events of all compiles, and what is asked of them by walking.
class Walk {
public:
  struct Event {
    bool IsBegin;
    uint32_t Compile, Interval;
    uint64_t TimeNs;
  };

  explicit Walk(const std::vector<SampleCompile> &All) : All(All) {
    for (uint32_t No = 0; No != All.size(); ++No) {
      Begins.push_back(Events.size());
      for (const SampleEvent &E : All[No].Events)
        Events.push_back({E.IsBegin, No, E.Interval, E.TimeNs});
      First.push_back(Records);
      Records += static_cast<uint32_t>(All[No].Intervals.size());
    }
    Begins.push_back(Events.size());
  }

  Position end() const { return Events.size(); }
  const SampleInterval &of(const Event &E) const {
    return All[E.Compile].Intervals[E.Interval];
  }
  uint32_t record(const Event &E) const {
    return First[E.Compile] + E.Interval;
  }
  /// Innermost first.
  std::vector<uint32_t> stack(Position Place) const {
    std::vector<uint32_t> Open;
    if (Place == 0)
      return Open;
    for (Position P = Begins[Events[Place - 1].Compile]; P != Place; ++P) {
      if (Events[P].IsBegin)
        Open.insert(Open.begin(), record(Events[P]));
      else
        Open.erase(Open.begin());
    }
    return Open;
  }
  /// The event of the same interval, or none.
  std::optional<Position> partner(Position Event) const {
    for (Position P = Begins[Events[Event].Compile];
         P != Begins[Events[Event].Compile + 1]; ++P)
      if (P != Event && Events[P].Interval == Events[Event].Interval)
        return P;
    return std::nullopt;
  }
  uint64_t depth(const Event &E) const {
    uint64_t Depth = 0;
    for (uint32_t Id = of(E).Parent; Id != test::None;
         Id = All[E.Compile].Intervals[Id].Parent)
      ++Depth;
    return Depth;
  }
  uint64_t inside(const Event &E) const {
    uint64_t Count = 0;
    for (const SampleInterval &I : All[E.Compile].Intervals)
      for (uint32_t Id = I.Parent; Id != test::None;
           Id = All[E.Compile].Intervals[Id].Parent)
        Count += Id == E.Interval;
    return Count;
  }

  uint64_t selfNs(const Event &E) const {
    const SampleInterval &Interval = of(E);
    uint64_t Ns = Interval.EndNs - Interval.BeginNs;
    for (const SampleInterval &I : All[E.Compile].Intervals)
      Ns -= I.Parent == E.Interval ? I.EndNs - I.BeginNs : 0;
    return Ns;
  }

  const std::vector<SampleCompile> &All;
  std::vector<Event> Events;
  std::vector<Position> Begins; ///< of compiles, and the end
  std::vector<uint32_t> First;
  uint32_t Records = 0;
};

/// A breakpoint as it is typed, and where it has to stop.
struct Wish {
  std::string Text;
  bool IsRegex = false, IsWatch = false;
  std::vector<Position> Stops;
};

class Wishes {
public:
  Wishes(const Walk &W, Random &Source) : W(W), Source(Source) {}

  Wish make() {
    switch (below(Source, 8)) {
    case 0:
      return single();
    case 1:
      return memory();
    default:
      return ofRecords();
    }
  }

private:
  using Test = std::function<bool(const Walk::Event &)>;

  Wish ofRecords() {
    Wish Made;
    std::vector<Test> Tests;
    std::string Options, Name;
    const bool AtEnd = below(Source, 3) == 0;
    if (AtEnd)
      Options += "-end ";
    const uint32_t Parts = 1 + below(Source, 2);
    for (uint32_t I = 0; I != Parts; ++I)
      addOption(Options, Tests);
    if (below(Source, 2))
      addName(Name, Tests, Made.IsRegex);
    Made.Text = Options + Name;
    if (!Made.IsRegex && below(Source, 3) == 0)
      addCondition(Made.Text, Tests);
    for (Position P = 0; P != W.end(); ++P)
      if (W.Events[P].IsBegin != AtEnd &&
          std::all_of(Tests.begin(), Tests.end(),
                      [&](const Test &T) { return T(W.Events[P]); }))
        Made.Stops.push_back(P + 1);
    return Made;
  }

  void addOption(std::string &Options, std::vector<Test> &Tests) {
    const uint32_t Sort = below(Source, 4);
    // Each once.
    if (Options.find(Sort == 0   ? "-kind"
                     : Sort == 1 ? "-depth"
                                 : "-duration") != std::string::npos)
      return;
    switch (Sort) {
    case 0:
      Options += "-kind DefaultTemplateArgumentInstantiation ";
      Tests.push_back([this](const auto &E) { return W.of(E).Kind == 2; });
      break;
    case 1: {
      uint64_t Depth = below(Source, 6);
      Options += "-depth " + std::to_string(Depth) + " ";
      Tests.push_back([=, this](const auto &E) { return W.depth(E) == Depth; });
      break;
    }
    case 2: {
      uint64_t Ns = below(Source, 2) ? below(Source, 30) : below(Source, 2000);
      Options += "-duration " + std::to_string(Ns) + " ";
      Tests.push_back([=, this](const auto &E) {
        return W.of(E).EndNs - W.of(E).BeginNs >= Ns;
      });
      break;
    }
    case 3:
      break;
    }
  }

  void addName(std::string &Name, std::vector<Test> &Tests, bool &IsRegex) {
    auto Is = [this](std::vector<std::string> Names) {
      return [this, Names](const Walk::Event &E) {
        uint32_t Entity = W.of(E).Entity;
        return Entity != 0 && std::find(Names.begin(), Names.end(),
                                        SampleNames[Entity - 1]) != Names.end();
      };
    };
    switch (below(Source, 7)) {
    case 5:
      Name = "::f<[12]>$";
      IsRegex = true;
      Tests.push_back(Is({"b::f<1>", "b::f<2>"}));
      break;
    case 6:
      Name = "A<i*[^c]";
      IsRegex = true;
      Tests.push_back(Is({"A<int>"}));
      break;
    case 0:
      Name = "A";
      Tests.push_back(Is({"A<int>", "A<char>"}));
      break;
    case 1:
      Name = "f<1>";
      Tests.push_back(Is({"b::f<1>"}));
      break;
    case 2:
      Name = "b::f";
      Tests.push_back(Is({"b::f<1>", "b::f<2>"}));
      break;
    case 3:
      Name = "1|c.*r";
      IsRegex = true;
      Tests.push_back(Is({"b::f<1>", "A<char>"}));
      break;
    case 4:
      Name = "a.cpp:3";
      Tests.push_back([this](const auto &E) {
        uint32_t L = W.of(E).Location;
        return L != 0 && SampleFileOf[L - 1] == 0 && SampleLineOf[L - 1] == 3;
      });
      break;
    }
  }

  void addCondition(std::string &Text, std::vector<Test> &Tests) {
    uint64_t Ns = below(Source, 300), Inside = below(Source, 4);
    if (below(Source, 2)) {
      const uint64_t Depth = below(Source, 5);
      Text +=
          " if depth <= " + std::to_string(Depth) +
          " && (kind != TemplateInstantiation || definition) || inside == " +
          std::to_string(Inside) + " && !open && self >= 3";
      Tests.push_back([=, this](const auto &E) {
        const SampleInterval &I = W.of(E);
        return (W.depth(E) <= Depth && (I.Kind != 1 || I.IsDefinition)) ||
               (W.inside(E) == Inside && !I.IsOpen && W.selfNs(E) >= 3);
      });
    } else if (below(Source, 2)) {
      Text += " if duration > " + std::to_string(Ns) + " && !(inside < " +
              std::to_string(Inside) + ")";
      Tests.push_back([=, this](const auto &E) {
        return W.of(E).EndNs - W.of(E).BeginNs > Ns && W.inside(E) >= Inside;
      });
    } else {
      Text += " if time>=" + std::to_string(Ns) + "ns || open";
      Tests.push_back([=, this](const auto &E) {
        return W.of(E).BeginNs >= Ns || W.of(E).IsOpen;
      });
    }
  }

  Wish single() {
    Wish Made;
    const bool IsTime = below(Source, 2);
    const uint64_t Wanted = below(Source, IsTime ? 600 : 60);
    Made.Text = (IsTime ? "-time " : "-event ") + std::to_string(Wanted);
    for (uint32_t No = 0; No != W.All.size(); ++No)
      for (Position P = W.Begins[No]; P != W.Begins[No + 1]; ++P)
        if (IsTime ? W.Events[P].TimeNs >= Wanted
                   : P - W.Begins[No] == Wanted) {
          Made.Stops.push_back(P + 1);
          break;
        }
    return Made;
  }

  Wish memory() {
    Wish Made;
    Made.IsWatch = true;
    const uint32_t Sort = below(Source, 3);
    const uint64_t Size = 1 + below(Source, 300);
    Made.Text = Sort == 0   ? "memory"
                : Sort == 1 ? "memory " + std::to_string(Size)
                            : "memory >= " + std::to_string(Size);
    for (uint32_t No = 0; No != W.All.size(); ++No) {
      uint64_t Bytes = 0;
      for (Position P = W.Begins[No]; P != W.Begins[No + 1]; ++P) {
        const uint64_t Before = Bytes;
        if (!W.Events[P].IsBegin)
          Bytes += W.of(W.Events[P]).AstBytes;
        if (Sort == 0   ? Bytes != Before
            : Sort == 1 ? Bytes / Size != Before / Size
                        : Before < Size && Bytes >= Size)
          Made.Stops.push_back(P + 1);
      }
    }
    return Made;
  }

  const Walk &W;
  Random &Source;
};

/// What the debugger does, walking.
class Naive {
public:
  struct Point {
    uint32_t Number;
    Wish Is;
    bool IsTemporary = false, IsEnabled = true;
    uint64_t Ignore = 0, Hits = 0;
  };

  explicit Naive(const Walk &W) : W(W) {}

  Stop travel(bool IsForward, Position Target) {
    while (Place != Target) {
      IsForward ? ++Place : --Place;
      Stop Reached = {Stop::Reason::Breakpoint, {}};
      for (Point &B : Points) {
        if (!B.IsEnabled || std::find(B.Is.Stops.begin(), B.Is.Stops.end(),
                                      Place) == B.Is.Stops.end())
          continue;
        ++B.Hits;
        if (B.Ignore != 0)
          --B.Ignore;
        else
          Reached.Hit.push_back(B.Number);
      }
      if (Reached.Hit.empty())
        continue;
      std::erase_if(Points, [&](const Point &B) {
        return B.IsTemporary &&
               std::find(Reached.Hit.begin(), Reached.Hit.end(), B.Number) !=
                   Reached.Hit.end();
      });
      return Reached;
    }
    return {};
  }
  static Stop edge(bool IsForward) {
    return {IsForward ? Stop::Reason::AtEnd : Stop::Reason::AtBegin, {}};
  }
  Position limit(bool IsForward) const { return IsForward ? W.end() : 0; }

  Stop step(bool IsForward, uint64_t Count) {
    Stop Reached;
    for (; Count != 0; --Count) {
      if (Place == limit(IsForward))
        return edge(IsForward);
      Reached = travel(IsForward, IsForward ? Place + 1 : Place - 1);
      if (!Reached.Hit.empty())
        break;
    }
    return Reached;
  }
  Stop next(bool IsForward, uint64_t Count) {
    Stop Reached;
    for (; Count != 0; --Count) {
      if (Place == limit(IsForward))
        return edge(IsForward);
      Position E = IsForward ? Place : Place - 1;
      Position Target = IsForward ? Place + 1 : Place - 1;
      if (W.Events[E].IsBegin == IsForward) {
        std::optional<Position> Other = W.partner(E);
        Position CompileEnd = W.Begins[W.Events[E].Compile + 1];
        Target = !Other ? CompileEnd : IsForward ? *Other + 1 : *Other;
      }
      Reached = travel(IsForward, Target);
      if (!Reached.Hit.empty())
        break;
    }
    return Reached;
  }
  Stop finish(bool IsForward, uint32_t Record) {
    for (Position P = 0; P != W.end(); ++P) {
      if (!W.Events[P].IsBegin || W.record(W.Events[P]) != Record)
        continue;
      std::optional<Position> Other = W.partner(P);
      Position Target = !IsForward ? P
                        : Other    ? *Other + 1
                                   : W.Begins[W.Events[P].Compile + 1];
      if (Target == Place)
        return edge(IsForward);
      return travel(IsForward, Target);
    }
    return {};
  }
  Stop run(bool IsForward) {
    Stop Reached;
    if (Place != limit(IsForward))
      Reached = travel(IsForward, limit(IsForward));
    return Reached.Hit.empty() ? edge(IsForward) : Reached;
  }

  const Walk &W;
  Position Place = 0;
  std::vector<Point> Points;
};

class Both {
public:
  Both(Replay &R, const Walk &W, Random &Source)
      : R(R), W(W), N(W), Source(Source) {}

  /// One random command.
  void command() {
    const bool IsForward = below(Source, 2);
    const Direction Way = IsForward ? Direction::Forward : Direction::Backward;
    const uint64_t Count = below(Source, 5) == 0 ? below(Source, 20) : 1;
    switch (below(Source, 8)) {
    case 0:
      return add();
    case 1:
      return change();
    case 2:
      return compare("step", R.step(Way, Count), N.step(IsForward, Count));
    case 3:
      return compare("next", R.next(Way, Count), N.next(IsForward, Count));
    case 4: {
      std::vector<uint32_t> Open = W.stack(N.Place);
      if (Open.empty())
        return;
      uint32_t Record = Open[below(Source, static_cast<uint32_t>(Open.size()))];
      return compare("finish", R.finish(Way, Record),
                     N.finish(IsForward, Record));
    }
    case 5: {
      Position Target = below(Source, static_cast<uint32_t>(W.end() + 1));
      R.goTo(Target);
      N.Place = Target;
      return compare("goto", Stop{}, Stop{});
    }
    default:
      return compare("continue", R.run(Way), N.run(IsForward));
    }
  }

private:
  void add() {
    Wish Is = Wishes(W, Source).make();
    SCOPED_TRACE(Is.Text);
    Result<StopSpec> Spec = Is.IsWatch ? parseWatch(Is.Text)
                                       : parseStopSpec(Is.Text, Is.IsRegex, "");
    if (!Spec) { // options that were all left out
      EXPECT_THAT(Spec.error().Message, testing::HasSubstr("nothing"));
      return;
    }
    const bool IsTemporary = below(Source, 6) == 0;
    Result<uint32_t> Number = R.addBreakpoint(*Spec, Is.IsWatch, IsTemporary);
    if (!Number) {
      EXPECT_THAT(Is.Stops, testing::IsEmpty()) << Number.error().Message;
      return;
    }
    Log += "\n" + std::to_string(*Number) + ": " + Is.Text;
    N.Points.push_back({*Number, Is, IsTemporary});
  }
  void change() {
    if (N.Points.empty())
      return;
    size_t Index = below(Source, static_cast<uint32_t>(N.Points.size()));
    Naive::Point &B = N.Points[Index];
    Breakpoint *Other = R.breakpoint(B.Number);
    ASSERT_NE(Other, nullptr);
    EXPECT_EQ(Other->Hits, B.Hits);
    EXPECT_EQ(Other->Ignore, B.Ignore);
    switch (below(Source, 3)) {
    case 0:
      Other->IsEnabled = B.IsEnabled = !B.IsEnabled;
      break;
    case 1:
      Other->Ignore = B.Ignore = below(Source, 4);
      break;
    case 2:
      EXPECT_TRUE(R.removeBreakpoint(B.Number));
      N.Points.erase(N.Points.begin() + static_cast<ptrdiff_t>(Index));
      break;
    }
  }

  void compare(const std::string &What, const Result<Stop> &Is,
               const Stop &Wanted) {
    Log += "\n" + What + " to " + std::to_string(N.Place);
    ASSERT_TRUE(Is) << Is.error().Message << Log;
    ASSERT_EQ(R.position(), N.Place) << Log;
    ASSERT_EQ(Is->Why, Wanted.Why) << Log;
    ASSERT_EQ(Is->Hit, Wanted.Hit) << Log;
    Result<std::vector<uint32_t>> Open = R.stack();
    ASSERT_TRUE(Open) << Open.error().Message;
    ASSERT_EQ(*Open, W.stack(N.Place)) << Log;
    Result<Timeline::Event> E = R.event();
    ASSERT_TRUE(E) << E.error().Message;
    if (N.Place == 0)
      return;
    const Walk::Event &Last = W.Events[N.Place - 1];
    ASSERT_EQ(E->Record, W.record(Last)) << Log;
    ASSERT_EQ(E->IsBegin, Last.IsBegin) << Log;
    ASSERT_EQ(E->Compile, Last.Compile) << Log;
    ASSERT_EQ(E->Number, N.Place - 1 - W.Begins[Last.Compile]) << Log;
    Result<uint64_t> Ns = R.timeline().timeNs(N.Place);
    ASSERT_TRUE(Ns && *Ns == Last.TimeNs) << Log;
  }

  Replay &R;
  const Walk &W;
  Naive N;
  Random &Source;
  std::string Log;
};

TEST(ReplayWalk, RandomSessionsGoWhereAWalkOfAllEventsGoes) {
  for (uint32_t Seed = 0; Seed != 120 && !HasFailure(); ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random Source(Seed);
    std::vector<SampleCompile> All;
    for (uint32_t No = 1 + below(Source, 3); No != 0; --No)
      All.push_back(randomCompile(Source));
    std::string Bytes = indexBytes(All), Why;
    InstantiationIndex X;
    ASSERT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Why;
    Result<Replay> R = Replay::make(X);
    ASSERT_TRUE(R) << R.error().Message;
    // Small blocks, since these compiles are.
    if (below(Source, 2))
      R->makeTables(1 + below(Source, 7))->wait();
    Walk W(All);
    Both Session(*R, W, Source);
    for (int I = 0; I != 60 && !HasFailure(); ++I)
      Session.command();
  }
}

} // namespace
