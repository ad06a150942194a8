#include "utils/analysis/chains/Unfinished.h"

#include "runtime/strings/NameMarks.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/RequestedFrames.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>

using namespace instantrace;

namespace {

/// Clang's own.
constexpr uint64_t DefaultTemplateDepth = 1024;
/// So many levels below the limit, intervals were too short for a record.
constexpr uint64_t DepthSlack = 24;
/// Fewer are no recursion that anybody would ask about.
constexpr uint64_t LeastLinearSteps = 16;
/// What is compared is the newest of these.
constexpr size_t KeptSizes = 6, FewestDoublings = 3;
constexpr uint64_t LeastDoubledNs = 1'000'000, LeastDoubledBytes = 64;
constexpr size_t TemplateBytes = 1 << 12;

bool isWork(EventKind Kind) { return isTemplateWork(Kind) || isLineWork(Kind); }

uint64_t templateDepth(const TraceSession *Session) {
  uint64_t Limit = DefaultTemplateDepth;
  if (!Session)
    return Limit;
  for (size_t I = 0; I != Session->Argv.size(); ++I) {
    std::string_view Argument = Session->Argv[I];
    constexpr std::string_view Option = "-ftemplate-depth";
    if (!Argument.starts_with(Option))
      continue;
    Argument.remove_prefix(Option.size());
    if (Argument.empty() && I + 1 != Session->Argv.size())
      Argument = Session->Argv[I + 1];
    else if (Argument.starts_with('='))
      Argument.remove_prefix(1);
    std::from_chars(Argument.data(), Argument.data() + Argument.size(), Limit);
  }
  return Limit;
}

/// `Grow<$>` is called `Grow<…>` as long as its whole name is not written.
std::string templateName(std::string Name) {
  if (Name.ends_with(ShortArguments))
    Name.replace(Name.size() - ShortArguments.size(), ShortArguments.size(),
                 TemplateArguments);
  return Name;
}

/// Whether each is about twice the one before. \p Least: smaller ones say
/// nothing.
bool isDoubling(const std::vector<uint64_t> &Sizes, uint64_t Least) {
  size_t Doublings = 0;
  for (size_t I = Sizes.size(); I > 1 && Sizes[I - 1] >= Least; --I) {
    if (Sizes[I - 1] < Sizes[I - 2] + Sizes[I - 2] / 2)
      break;
    ++Doublings;
  }
  return Doublings >= FewestDoublings;
}

/// Those of a template.
struct Specialization {
  EntityId Id;
  uint64_t Ns = 0; ///< 0: it is open, and who knows how long it would take
  uint64_t AstBytes = 0, MemoryBytes = 0;
};

/// What one template has taken.
struct GrowthRow {
  std::string Name;
  uint64_t Open = 0, Deepest = 0, Specializations = 0, Ns = 0;
  uint64_t AstBytes = 0, MemoryBytes = 0;
  uint32_t LargestId = 0;                ///< ids go up in the order of events
  std::vector<Specialization> Newest;    ///< KeptSizes
  std::vector<uint64_t> NewestNameBytes; ///< KeptSizes
  EntityId LastNamed;

  void open(EntityId Id) {
    Deepest = std::max(Deepest, ++Open);
    Specializations += Id.Value > LargestId;
    LargestId = std::max(LargestId, Id.Value);
  }
  void close(const Interval &I, uint64_t NameBytes) {
    --Open;
    if (I.Open) {
      for (Specialization &Each : Newest)
        if (Each.Id.Value == I.Entity.Value)
          Each.Ns = 0;
      return;
    }
    Specialization &Closed = newest(I.Entity);
    Closed.Ns += I.durationNs();
    Closed.AstBytes += I.AstBytes;
    // The plugin names a list that is too long by its first alone.
    if (I.Entity.Value == LastNamed.Value ||
        (!NewestNameBytes.empty() && NameBytes <= NewestNameBytes.back() / 2))
      return;
    LastNamed = I.Entity;
    if (NewestNameBytes.size() == KeptSizes)
      NewestNameBytes.erase(NewestNameBytes.begin());
    NewestNameBytes.push_back(NameBytes);
  }
  void grow(EntityId Id, uint64_t Bytes) {
    MemoryBytes += Bytes;
    newest(Id).MemoryBytes += Bytes;
  }
  Specialization &newest(EntityId Id) {
    for (Specialization &Each : Newest)
      if (Each.Id.Value == Id.Value)
        return Each;
    if (Newest.size() == KeptSizes)
      Newest.erase(Newest.begin());
    return Newest.emplace_back(Specialization{Id});
  }
  GrowthKind kind() const {
    std::vector<uint64_t> NewestNs;
    for (const Specialization &Each : Newest)
      if (Each.Ns != 0)
        NewestNs.push_back(Each.Ns);
    if (Deepest <= 1 && (isDoubling(NewestNameBytes, LeastDoubledBytes) ||
                         isDoubling(NewestNs, LeastDoubledNs)))
      return GrowthKind::Doubling;
    bool IsLinear =
        Deepest >= LeastLinearSteps && Specializations <= Deepest + Deepest / 4;
    return IsLinear ? GrowthKind::Linear : GrowthKind::Unknown;
  }
};

/// Lines of the program on the way outwards from an interval.
struct UserLines {
  LocationId Nearest, Outermost;
};

} // namespace

/// The open intervals of one sequence, and what each template has taken.
class UnfinishedSink::Chain {
public:
  Chain(const Sequence &S, const LookAhead &Ahead)
      : S(S), IsUser(userLocations(S)) {
    Asked.enter(Ahead);
  }

  void begin(IntervalId Id, const Interval &I) {
    passTo(I.BeginNs);
    Frames.resize(Size);
    Frame F;
    F.I = I;
    if (Size != 0) {
      F.Row = Frames.back().Row;
      F.Specialized = Frames.back().Specialized;
    }
    if (I.Requester) {
      if (const UserLines *Lines = Asked.find(I.Requester))
        F.Lines = *Lines;
    } else if (Size != 0) {
      F.Lines = Frames.back().Lines;
    }
    if (S.OpenLines.count(I.Location.Value) != 0 ||
        (I.Location.Value < IsUser.size() && IsUser[I.Location.Value]))
      F.Lines.Nearest = I.Location;
    if (!F.Lines.Outermost && isWork(I.Kind))
      F.Lines.Outermost = F.Lines.Nearest;
    if (Asked.isWanted(Id))
      Asked.keep(F.Lines);
    if (I.Kind == EventKind::TemplateInstantiation) {
      F.Row = rowOf(I.Entity);
      F.Specialized = I.Entity;
      Rows[F.Row].open(I.Entity);
    }
    Frames.push_back(F);
    ++Size;
    BeginCount = uint64_t(Id.Value) + 1;
    seeMemory();
    if (S.Footer && S.Footer->FailedInside == uint64_t(Id.Value) + 1)
      Failed = Frames;
  }
  void end(const Interval &I) {
    if (Size == 0)
      return;
    if (!I.Open)
      passTo(I.EndNs);
    Frame &F = Frames[--Size];
    seeMemory();
    F.I = I;
    const uint64_t InsideNs = F.InsideNs;
    if (Size != 0)
      Frames[Size - 1].InsideNs += I.durationNs();
    if (I.Kind != EventKind::TemplateInstantiation)
      return;
    GrowthRow &Row = Rows[F.Row];
    const Entity *E = S.entity(I.Entity);
    Row.close(I, E ? S.Names.sizeBytes(E->Name) : 0);
    // What a template needs of others is theirs, its substitutions are not.
    const uint64_t SelfNs = I.durationNs() - std::min(I.durationNs(), InsideNs);
    Row.Ns += SelfNs;
    Row.AstBytes += I.AstBytes;
  }

  UnfinishedCompile take(const TextFunction &TextOf);

private:
  static constexpr uint32_t NoRow = UINT32_MAX;
  struct Frame {
    Interval I;
    UserLines Lines;
    uint32_t Row = NoRow; ///< of the instantiation that it is or is inside
    EntityId Specialized; ///< likewise
    uint64_t InsideNs = 0;
  };
  /// Time of a template since the last sample of memory.
  struct Stretch {
    uint64_t Ns = 0, LongestNs = 0;
    EntityId Longest;
  };

  /// What is innermost was so until \p TimeNs.
  void passTo(uint64_t TimeNs);
  /// Samples that were taken after this event.
  void seeMemory();
  uint32_t rowOf(EntityId Id) {
    const Entity *E = S.entity(Id);
    const NameId Set = E ? E->TemplateSet : NameId{};
    auto [Known, IsNew] = BySet.try_emplace(Set.Value, 0);
    if (IsNew) {
      std::string Name =
          templateName(S.Names.text(Set, NameStyle(), TemplateBytes));
      auto [Entry, IsFirst] =
          ByName.try_emplace(Name, static_cast<uint32_t>(Rows.size()));
      if (IsFirst)
        Rows.emplace_back().Name = std::move(Name);
      Known->second = Entry->second;
    }
    return Known->second;
  }
  ProgramPlace placeOf(LocationId Id) const {
    const Location *L = S.location(Id);
    if (auto Open = S.OpenLines.find(Id.Value);
        !L && Open != S.OpenLines.end() && S.Session)
      return {normalPath(S.Session->Input), Open->second};
    if (!L || !S.Names.contains(L->File))
      return {};
    return {normalPath(S.Names.text(L->File, ShownPathBytes)), L->LineNo};
  }
  std::string nameOf(EntityId Id, const TextFunction &TextOf) const {
    const Entity *E = S.entity(Id);
    if (E && S.Names.contains(E->Name))
      return TextOf(S.Names, E->Name);
    return Id ? "<entity " + std::to_string(Id.Value) + ">" : "";
  }
  std::vector<Frame> openFrames(UnfinishedCompile &Made);
  /// Of what is open, the row with most of \p Number; null: there is none.
  const GrowthRow *most(const std::vector<Frame> &Open,
                        uint64_t GrowthRow::*Number) const;
  TemplateGrowth describe(const GrowthRow &Row,
                          const TextFunction &TextOf) const;

  const Sequence &S;
  std::vector<bool> IsUser;
  RequestedFrames<UserLines> Asked;
  /// Those up to Size are open; behind them are what has ended since the last
  /// begin.
  std::vector<Frame> Frames;
  std::vector<Frame> Failed; ///< those that were open when an error came
  size_t Size = 0;
  std::vector<GrowthRow> Rows;
  std::unordered_map<uint32_t, uint32_t> BySet;
  std::unordered_map<std::string, uint32_t> ByName;
  size_t NextSample = 0; ///< of S.Memory
  uint64_t BeginCount = 0, PassedNs = 0, SampledBytes = 0;
  std::unordered_map<uint32_t, Stretch> SinceSample; ///< by row; NoRow: outside
};

void UnfinishedSink::Chain::passTo(uint64_t TimeNs) {
  const uint64_t Ns = TimeNs - std::min(TimeNs, PassedNs);
  PassedNs = TimeNs;
  if (NextSample == S.Memory.size() || Size == 0)
    return;
  Stretch &Since = SinceSample[Frames[Size - 1].Row];
  Since.Ns += Ns;
  if (Ns < Since.LongestNs)
    return;
  Since.LongestNs = Ns;
  Since.Longest = Frames[Size - 1].Specialized;
}

/// Many instantiations may lie between two samples: what the process has grown
/// by is charged to the template that took most of the time.
void UnfinishedSink::Chain::seeMemory() {
  auto IsTaken = [this](const MemorySample &M) {
    return M.IntervalsBefore < BeginCount ||
           (M.IntervalsBefore == BeginCount && M.Depth >= Size);
  };
  for (; NextSample != S.Memory.size() && IsTaken(S.Memory[NextSample]);
       ++NextSample) {
    const uint64_t Bytes = S.Memory[NextSample].PeakRssBytes;
    const auto Most = std::max_element(
        SinceSample.begin(), SinceSample.end(),
        [](const auto &L, const auto &R) { return L.second.Ns < R.second.Ns; });
    // The first says what the compiler had to begin with.
    if (SampledBytes != 0 && Bytes > SampledBytes &&
        Most != SinceSample.end() && Most->first != NoRow)
      Rows[Most->first].grow(Most->second.Longest, Bytes - SampledBytes);
    SampledBytes = std::max(SampledBytes, Bytes);
    // clear() would go over as many buckets as there ever were.
    SinceSample = decltype(SinceSample)();
  }
}

std::vector<UnfinishedSink::Chain::Frame>
UnfinishedSink::Chain::openFrames(UnfinishedCompile &Made) {
  std::vector<Frame> Open;
  if (!S.Footer || S.Footer->isInterrupted()) {
    std::copy_if(Frames.begin(), Frames.end(), std::back_inserter(Open),
                 [](const Frame &F) { return F.I.Open; });
    return Open;
  }
  const uint64_t Limit = templateDepth(S.Session ? &*S.Session : nullptr);
  const auto Depth = static_cast<uint64_t>(
      std::count_if(Failed.begin(), Failed.end(),
                    [](const Frame &F) { return isTemplateWork(F.I.Kind); }));
  if (S.Footer->State == ExitState::FatalError &&
      Depth + std::min(DepthSlack, Limit / 8) >= Limit)
    Made.DepthLimit = Limit;
  return std::move(Failed);
}

const GrowthRow *
UnfinishedSink::Chain::most(const std::vector<Frame> &Open,
                            uint64_t GrowthRow::*Number) const {
  const GrowthRow *Most = nullptr;
  for (const Frame &F : Open)
    if (F.Row != NoRow && (!Most || Rows[F.Row].*Number > Most->*Number))
      Most = &Rows[F.Row];
  return Most;
}

TemplateGrowth
UnfinishedSink::Chain::describe(const GrowthRow &Row,
                                const TextFunction &TextOf) const {
  TemplateGrowth Made{Row.Name, Row.kind(),   Row.Specializations, Row.Deepest,
                      Row.Ns,   Row.AstBytes, Row.MemoryBytes,     {}};
  for (const Specialization &Each : Row.Newest)
    Made.Newest.push_back(
        {nameOf(Each.Id, TextOf), Each.Ns, Each.AstBytes, Each.MemoryBytes});
  return Made;
}

UnfinishedCompile UnfinishedSink::Chain::take(const TextFunction &TextOf) {
  UnfinishedCompile Made;
  const TraceFooter Footer = S.Footer.value_or(TraceFooter());
  Made.IsRunning = !S.Footer;
  Made.State = Footer.State;
  Made.Signal = Footer.Signal;
  Made.RanOutOfMemory = Footer.RanOutOfMemory;
  Made.Pass = Footer.Pass;
  Made.PeakBytes = Footer.PeakRssBytes;
  Made.WallNs = S.lastWallNs();
  Made.CpuNs = Footer.UserTimeNs + Footer.SystemTimeNs;
  if (Made.CpuNs == 0)
    Made.CpuNs = S.processorNs();
  if (S.Session) {
    Made.Input = S.Session->Input;
    Made.WorkingDirectory = S.Session->WorkingDirectory;
    Made.RealtimeNs = S.Session->RealtimeNs;
  }
  std::vector<Frame> Open = openFrames(Made);
  while (!Open.empty() && Open.back().I.Kind == EventKind::Profiling)
    Open.pop_back(); // our own work in it
  for (const Frame &F : Open) {
    std::string Name = nameOf(F.I.Entity, TextOf);
    // Around templates, the innermost alone says something.
    if (isWork(F.I.Kind) ? !Name.empty() : &F == &Open.back())
      Made.Open.push_back({F.I.Kind, std::move(Name), F.I.durationNs()});
  }
  if (!Open.empty()) {
    Made.Innermost = placeOf(Open.back().Lines.Nearest);
    Made.Asked = placeOf(Open.back().Lines.Outermost);
  }
  if (Open.empty() || Made.State == ExitState::Errors)
    return Made;
  // What a process that died has grown by since the last sample was in what is
  // open. One that failed went on behind it.
  if (const Frame &F = Open.back(); F.Row != NoRow && SampledBytes != 0 &&
                                    (!S.Footer || S.Footer->isInterrupted()))
    Rows[F.Row].grow(F.Specialized,
                     Made.PeakBytes - std::min(Made.PeakBytes, SampledBytes));
  const GrowthRow *Longest = most(Open, &GrowthRow::Ns);
  if (Longest && Longest->Specializations >= FewestDoublings)
    Made.Growth = describe(*Longest, TextOf);
  if (const GrowthRow *Largest = most(Open, &GrowthRow::MemoryBytes))
    Made.Memory = describe(*Largest, TextOf);
  return Made;
}

bool instantrace::isUnfinished(const Sequence &S) {
  return S.Footer && (S.Footer->isInterrupted() || S.Footer->FailedInside != 0);
}

UnfinishedSink::UnfinishedSink(const Trace &T, TextFunction TextOf,
                               bool WantsRunning)
    : T(T), TextOf(std::move(TextOf)), WantsRunning(WantsRunning),
      Ahead(std::make_unique<LookAhead>()) {}
UnfinishedSink::~UnfinishedSink() = default;

LookAhead *UnfinishedSink::lookAhead() { return Ahead.get(); }

EventSink &UnfinishedSink::beginSequence(uint32_t Index) {
  const Sequence &S = T.Sequences[Index];
  const bool IsWanted = isUnfinished(S) || (WantsRunning && !S.Footer);
  Current = IsWanted ? std::make_unique<Chain>(S, *Ahead) : nullptr;
  return *this;
}

void UnfinishedSink::begin(IntervalId Id, const Interval &I) {
  if (Current)
    Current->begin(Id, I);
}

void UnfinishedSink::end(IntervalId, const Interval &I, const ElidedLeaves &) {
  if (Current)
    Current->end(I);
}

void UnfinishedSink::endSequence(Sequence &S) {
  if (!Current)
    return;
  UnfinishedCompile Made = Current->take(TextOf);
  Current.reset();
  Made.Trace = T.Files[S.FileIndex].Name;
  Found.push_back(std::move(Made));
}
