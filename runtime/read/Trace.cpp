#include "runtime/read/Trace.h"

#include <algorithm>
#include <csignal>
#include <iterator>

using namespace instantrace;

namespace {

std::string counted(uint64_t Count, std::string_view What) {
  return std::to_string(Count) + " " + std::string(What) +
         (Count == 1 ? "" : "s");
}

std::string secondsText(uint64_t Ns) {
  std::string Ms = std::to_string(Ns / 1000000 % 1000);
  return std::to_string(Ns / 1000000000) + "." +
         std::string(3 - Ms.size(), '0') + Ms + " s";
}

/// "; 12 intervals were still open", or nothing.
std::string openText(const Sequence &S) {
  if (S.OpenCount == 0)
    return {};
  return "; " + counted(S.OpenCount, "interval") +
         (S.OpenCount == 1 ? " was" : " were") + " still open";
}

/// "3 fragments and 1 event were dropped", or nothing.
std::string droppedText(const TraceFooter &Footer) {
  uint64_t Fragments = Footer.FragmentsDropped, Events = Footer.EventsDropped;
  std::string Text;
  if (Fragments != 0)
    Text = counted(Fragments, "fragment");
  if (Events != 0)
    Text += (Text.empty() ? "" : " and ") + counted(Events, "event");
  if (Text.empty())
    return Text;
  bool IsOne =
      (Fragments == 0 && Events == 1) || (Fragments == 1 && Events == 0);
  return Text + (IsOne ? " was" : " were") + " dropped while recording";
}

std::string interruptionText(const Sequence &S) {
  const TraceFooter &Footer = *S.Footer;
  std::string Text = "incomplete: the compiler was interrupted";
  if (Footer.Signal != 0)
    Text += " by " + signalText(Footer.Signal);
  Text += " after " + secondsText(Footer.EndTimeNs);
  if (!Footer.Pass.empty())
    Text += " in the pass " + Footer.Pass;
  Text += openText(S);
  MissingNames Missing = S.missingNames();
  auto Have = [&Text](uint64_t Count, const char *What) {
    if (Count != 0)
      Text += "; " + std::to_string(Count) +
              (Count == 1 ? " entity has " : " entities have ") + What;
  };
  Have(Missing.Short, "only a short name");
  Have(Missing.None, "no name yet");
  std::string Dropped = droppedText(Footer);
  return Dropped.empty() ? Text : Text + "; " + Dropped;
}

} // namespace

std::string instantrace::signalText(uint32_t Signal) {
  struct Known {
    int Number;
    const char *Name;
  };
  static constexpr Known Names[] = {
      {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"},
      {SIGILL, "SIGILL"},   {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"},
      {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"},
      {SIGSEGV, "SIGSEGV"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},
      {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"},
      {SIGSYS, "SIGSYS"},
  };
  if (Signal == CrashSignal)
    return "a crash";
  std::string Text = "signal " + std::to_string(Signal);
  for (const Known &K : Names)
    if (static_cast<uint32_t>(K.Number) == Signal)
      Text.append(" (").append(K.Name).append(")");
  return Text;
}

MissingNames Sequence::missingNames() const {
  // Whole until an event is about it.
  enum class Naming : uint8_t { Whole, Short, None };
  uint32_t FirstShort = FirstShortName != 0 ? FirstShortName : UINT32_MAX;
  std::vector<Naming> Known(Entities.size(), Naming::Whole);
  std::vector<uint32_t> Unknown; // ids without a row
  auto Look = [&](EntityId Id) {
    if (!Id)
      return;
    const Entity *E = entity(Id);
    if (!E)
      Unknown.push_back(Id.Value);
    else if (!Names.contains(E->Name))
      Known[Id.Value - 1] = Naming::None;
    else if (Id.Value >= FirstShort)
      Known[Id.Value - 1] = Naming::Short;
  };
  for (const Interval &I : Intervals)
    Look(I.Entity);
  for (const Instant &I : Instants)
    Look(I.Entity);
  for (EntityId Id : StreamedEntities)
    Look(Id);
  for (const MemoizedHits &M : Memoized)
    Look(M.Entity);
  for (const Function &F : Functions)
    Look(F.Entity);
  for (uint32_t Id : WholeNames)
    if (Id - 1 < Known.size() && Known[Id - 1] == Naming::Short)
      Known[Id - 1] = Naming::Whole;
  std::sort(Unknown.begin(), Unknown.end());
  auto End = std::unique(Unknown.begin(), Unknown.end());
  MissingNames Missing;
  Missing.None = static_cast<uint64_t>(
      (End - Unknown.begin()) +
      std::count(Known.begin(), Known.end(), Naming::None));
  Missing.Short = static_cast<uint64_t>(
      std::count(Known.begin(), Known.end(), Naming::Short));
  return Missing;
}

const LocationDetail *Sequence::detail(LocationId Id) const {
  const std::vector<LocationDetail> &Details = table(Id).Details;
  auto Found = std::lower_bound(Details.begin(), Details.end(), Id.number(),
                                [](const LocationDetail &D, uint32_t Wanted) {
                                  return D.Number < Wanted;
                                });
  return Found != Details.end() && Found->Number == Id.number() ? &*Found
                                                                : nullptr;
}

InclusionId Sequence::inclusionOf(LocationId Id) const {
  const Location *L = location(Id);
  if (!L)
    return {};
  if (const LocationDetail *D = detail(Id); D && D->In)
    return inclusion(D->In) ? D->In : InclusionId{};
  auto First = FirstInclusions.find(L->File.Value);
  return First == FirstInclusions.end() ? InclusionId{} : First->second;
}

bool Sequence::isSystem(LocationId Id) const {
  const Inclusion *I = inclusion(inclusionOf(Id));
  return I && I->IsSystem;
}

std::string TraceIssue::message(const std::string &File) const {
  std::string Place;
  if (PacketNo != 0)
    Place = ": packet " + std::to_string(PacketNo) + " (byte " +
            std::to_string(OffsetBytes) + "): " + std::string(Invariant);
  return File + Place + ": found " + Found + ", expected " + Expected;
}

ElidedLeaves Sequence::elidedIn(IntervalId Id) const {
  auto Found =
      std::lower_bound(Elided.begin(), Elided.end(), Id,
                       [](const ElidedLeaves &Leaves, IntervalId Wanted) {
                         return Leaves.Inside.Value < Wanted.Value;
                       });
  if (Found == Elided.end() || !(Found->Inside == Id))
    return {Id, 0, 0};
  return *Found;
}

const TraceIssue *TraceInput::damage() const {
  for (const TraceIssue &Issue : Issues)
    if (Issue.Fatal)
      return &Issue;
  return nullptr;
}

void Trace::append(Trace More) {
  for (Sequence &S : More.Sequences)
    S.FileIndex += static_cast<uint32_t>(Files.size());
  std::ranges::move(More.Files, std::back_inserter(Files));
  std::ranges::move(More.Sequences, std::back_inserter(Sequences));
}

std::vector<std::string> Trace::losses() const {
  std::vector<std::string> Lines;
  for (const TraceInput &File : Files)
    if (const TraceIssue *Damage = File.damage())
      Lines.push_back(Damage->message(File.Name) +
                      (Damage->PacketNo == 0 ? "; nothing of it is used"
                                             : "; what precedes it is used"));
  for (const Sequence &S : Sequences) {
    std::string Place =
        Files[S.FileIndex].Name + ": sequence " + std::to_string(S.Id);
    if (!S.Footer && Files[S.FileIndex].damage())
      continue; // said above
    if (!S.Footer)
      Lines.push_back(Place +
                      ": found no footer, so the compile did not end or "
                      "its last events are missing" +
                      openText(S));
    else if (S.Footer->isInterrupted())
      Lines.push_back(Place + ": " + interruptionText(S));
    else if (std::string Dropped = droppedText(*S.Footer); !Dropped.empty())
      Lines.push_back(Place + ": " + Dropped);
  }
  return Lines;
}
