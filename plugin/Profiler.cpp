#include "plugin/Profiler.h"

#include "plugin/ClangCompat.h"
#include "plugin/LocationResolver.h"
#include "plugin/names/NameBuilder.h"
#include "plugin/names/NameCheck.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ModuleFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

using namespace clang;

namespace instantrace {

namespace {

std::vector<std::string> processArguments() {
  std::vector<std::string> Arguments;
  auto Buffer = llvm::MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Buffer)
    return Arguments;
  StringRef Rest = (*Buffer)->getBuffer();
  while (!Rest.empty()) {
    auto [First, Tail] = Rest.split('\0');
    Arguments.push_back(First.str());
    Rest = Tail;
  }
  return Arguments;
}

uint64_t realtimeNowNs() {
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

uint64_t nanoseconds(const timeval &T) {
  return static_cast<uint64_t>(T.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(T.tv_usec) * 1000;
}

CompileIdentity identify(const CompilerInstance &Compiler, StringRef Input) {
  CompileIdentity Compile;
  llvm::SmallString<256> Directory;
  if (!llvm::sys::fs::current_path(Directory))
    Compile.WorkingDirectory = Directory.str().str();
  Compile.Input = Input.str();
  Compile.Object = Compiler.getFrontendOpts().OutputFile;
  Compile.Triple = Compiler.getTarget().getTriple().str();
  Compile.Argv = processArguments();
  Compile.IsDevicePass = isDevicePass(Compiler.getLangOpts());
  return Compile;
}

/// Differs between compiles of one build, also when a pid is used again.
uint32_t makeSequenceId(const CompileIdentity &Compile, uint64_t StartNs) {
  uint64_t Seed =
      StartNs * 0x9E3779B97F4A7C15U + static_cast<uint64_t>(getpid());
  for (char C : Compile.Object + Compile.Input)
    Seed = (Seed ^ static_cast<unsigned char>(C)) * 0x100000001B3U;
  auto Id = static_cast<uint32_t>(Seed ^ (Seed >> 32));
  return Id != 0 ? Id : 1;
}

std::string optimizationLevel(const CodeGenOptions &Options) {
  if (Options.OptimizeSize != 0)
    return Options.OptimizeSize == 1 ? "Os" : "Oz";
  return "O" + std::to_string(Options.OptimizationLevel);
}

bool generatesCode(frontend::ActionKind Action) {
  return Action != frontend::ParseSyntaxOnly;
}

/// The module files that the command line names and those that are loaded by
/// now: at the start for the session, at the end for the footer.
std::vector<std::string> moduleInputs(CompilerInstance &Compiler) {
  std::vector<std::string> Paths;
  auto add = [&Paths](StringRef Path) {
    if (!Path.empty() && !llvm::is_contained(Paths, Path))
      Paths.push_back(Path.str());
  };
  for (const std::string &Path : Compiler.getFrontendOpts().ModuleFiles)
    add(Path);
  for (const auto &Named : Compiler.getHeaderSearchOpts().PrebuiltModuleFiles)
    add(Named.second);
  if (IntrusiveRefCntPtr<ASTReader> Reader = Compiler.getASTReader())
    for (const serialization::ModuleFile &File : Reader->getModuleManager())
      if (File.isModule())
        add(File.FileName);
  return Paths;
}

/// Resolving a location may read a file that a PCH names; were it gone, that
/// must not become a diagnostic of the user's compile.
class QuietDiagnostics {
public:
  explicit QuietDiagnostics(DiagnosticsEngine &Diagnostics)
      : Diagnostics(Diagnostics),
        WasQuiet(Diagnostics.getSuppressAllDiagnostics()) {
    Diagnostics.setSuppressAllDiagnostics(true);
  }
  ~QuietDiagnostics() { Diagnostics.setSuppressAllDiagnostics(WasQuiet); }
  QuietDiagnostics(const QuietDiagnostics &) = delete;
  QuietDiagnostics &operator=(const QuietDiagnostics &) = delete;

private:
  DiagnosticsEngine &Diagnostics;
  bool WasQuiet;
};

std::string sessionPackets(const SessionInfo &Session, uint32_t SequenceId) {
  std::string Bytes;
  StringSink Sink(Bytes);
  TraceWriter(Sink, SequenceId).writeHeader(Session);
  return Bytes;
}

/// What the session's packets grow by once all of it is known.
constexpr size_t SessionSlackBytes = 1024;

} // namespace

Profiler::Profiler(CompilerInstance &Compiler, StringRef InputFile,
                   Options Options)
    : Compiler(Compiler), Opts(std::move(Options)), StartNs(monotonicNowNs()),
      Identity(identify(Compiler, InputFile)), Session(makeSession(Identity)),
      Buffer(outputName(Identity, Opts.Output), Opts.Buffer,
             sessionPackets(Session, 1).size() + SessionSlackBytes),
      Writer(Buffer, makeSequenceId(Identity, StartNs)),
      Rec(Opts.Filter, Opts.Memoization, Opts.GranularityNs, StartNs,
          Buffer.events(), Buffer.live(),
          Compiler.hasASTContext() ? &Compiler.getASTContext().getAllocator()
                                   : nullptr,
          *this),
      Phases(Rec), Hook(makeHook(Opts.Hook, Opts.Probes, Rec, Phases)),
      Leftover(Buffer.leftoverPath()) {
  Session.Hook = std::string(Hook->name());
  if (!Hook->reportsMemoization()) {
    Session.Memoization = MemoizationMode::Off;
    if (Opts.Memoization == MemoizationMode::Events)
      printWarning("hook=observer hears of no memoized hits; there are none in "
                   "this profile");
  }
  Session.Buffer = Buffer.description();
  std::string Packets =
      sessionPackets(Session, makeSequenceId(Identity, StartNs));
  TraceBuffer::Session Start;
  Start.SequenceId = makeSequenceId(Identity, StartNs);
  Start.RealtimeNs = Session.RealtimeNs;
  Start.MonotonicNs = Session.MonotonicNs;
  Start.Packets = Packets;
  Buffer.start(Start);
  if (Opts.IsVerbose && !Buffer.collectorFailure().empty())
    llvm::errs() << "instantrace: " << Buffer.collectorFailure()
                 << "; recording without it\n";
  Phases.beginPhase(EventKind::Frontend);
  if (Compiler.hasPreprocessor())
    Phases.watch(Compiler, *Hook);
  if (Opts.Hook == HookChoice::Callback && !hasCallbackHook())
    printWarning(
        "this Clang has no TemplateInstantiationCallback; hook=observer "
        "is used");
}

Profiler::~Profiler() = default;

SessionInfo Profiler::makeSession(const CompileIdentity &Compile) {
  SessionInfo S;
  S.ClangVersion = getClangFullVersion();
  S.WorkingDirectory = Compile.WorkingDirectory;
  S.Input = Compile.Input;
  S.Object = Compile.Object;
  S.Triple = Compile.Triple;
  S.Argv = Compile.Argv;
  S.LanguageStandard = languageStandardName(Compiler.getLangOpts());
  S.OptimizationLevel = optimizationLevel(Compiler.getCodeGenOpts());
  const PreprocessorOptions &Preprocessing = Compiler.getPreprocessorOpts();
  if (!Preprocessing.ImplicitPCHInclude.empty())
    S.PchInputs.push_back(Preprocessing.ImplicitPCHInclude);
  S.Pid = static_cast<uint32_t>(getpid());
  S.MonotonicNs = StartNs;
  S.RealtimeNs = realtimeNowNs();
  S.Filter = Opts.Filter;
  S.Memoization = Opts.Memoization;
  S.GranularityNs = Opts.GranularityNs;
  S.TimeUnitNs = TimeUnitNs;
  S.ModuleInputs = moduleInputs(Compiler);
  return S;
}

/// Clang reports a memoized hit for every class that it needs to be complete,
/// also where there is no template. Hits alone count when a specialization is
/// among them: one that comes from a PCH or a module.
bool Profiler::hasTemplateWork() const {
  if (Rec.TemplateEvents != 0)
    return true;
  return llvm::any_of(Rec.Slots, [](const EntitySlot &Slot) {
    if (Slot.IsFile || !Slot.Key)
      return false;
    const auto *Class =
        dyn_cast<CXXRecordDecl>(static_cast<const Decl *>(Slot.Key));
    return !Class || Class->getTemplateSpecializationKind() != TSK_Undeclared;
  });
}

void Profiler::translationUnitDone() {
  if (IsNamed || IsStopped)
    return;
  IsNamed = true;
  Hook->translationUnitDone();
  Phases.endOfTranslationUnit();
  IsEmpty = !hasTemplateWork();
  if (!IsEmpty || Opts.WritesEmpty) {
    Phases.beginPhase(EventKind::Profiling);
    // The chunk ends here, so that ids may be given outside the event stream.
    Buffer.events().complete();
    Buffer.neverDrop(); // it is the last chance for names
    Rec.assignRemainingIds();
    writeNewNames();
    writeHits();
    if (Check)
      checkNames();
    Phases.endPhase(EventKind::Profiling);
  }
  if (generatesCode(Compiler.getFrontendOpts().ProgramAction))
    Phases.beginPhase(EventKind::CodeGeneration);
}

void Profiler::entityMet(const void *Key, uint32_t Id, bool IsFile) {
  StringRef Text;
  if (IsFile)
    Text = filePath(Key);
  else if (const auto *Named =
               dyn_cast<NamedDecl>(static_cast<const Decl *>(Key)))
    if (const IdentifierInfo *Identifier = Named->getIdentifier())
      Text = Identifier->getName();
  Buffer.noteNewestEntity(Id, {Text.data(), Text.size()});
}

void Profiler::nameEntities() {
  if (IsStopped)
    return;
  if (EntitiesWritten == Rec.EntitiesInOrder.size() &&
      LocationsWritten == Rec.LocationsInOrder.size())
    return;
  bool IsRecorded = Rec.wants(EventKind::Profiling);
  if (IsRecorded)
    Rec.begin(EventKind::Profiling, nullptr, 0);
  writeNewNames();
  // Listing hits again and again would double the trace; each time four times
  // later, it is a few percent.
  if (Buffer.events().chunksFilled() >= ChunksAtNextHits) {
    ChunksAtNextHits *= 4;
    writeHits();
  }
  if (IsRecorded)
    Rec.end();
}

uint32_t Profiler::declarationLocation(SourceLocation Location) {
  uint32_t Raw = Location.getRawEncoding();
  if (Raw == 0)
    return 0;
  auto [It, IsNew] = DeclarationLocationIds.try_emplace(
      Raw, static_cast<uint32_t>(DeclarationLocations.size() + 1));
  if (IsNew)
    DeclarationLocations.push_back(Raw);
  return It->second;
}

EntityRow Profiler::describe(const EntitySlot &Slot, StringId &Name) {
  EntityRow Row;
  if (Slot.IsFile) {
    Name = Strings.intern(filePath(Slot.Key).str());
    Row.Name = Row.TemplateSet = Strings.ordinal(Name);
    Row.Kind = EntityKind::File;
    return Row;
  }
  const auto *D = static_cast<const Decl *>(Slot.Key);
  Row.Kind = entityKind(*D);
  Row.Declaration = declarationLocation(D->getLocation());
  if (const auto *Named = dyn_cast<NamedDecl>(D)) {
    NameBuilder::Names Pair = Names->names(*Named);
    Name = Pair.Name;
    Row.TemplateSet = Strings.ordinal(Pair.TemplateSet);
    if (Check)
      Check->named(*Named);
  } else {
    Name = Strings.intern("");
    Row.TemplateSet = Strings.ordinal(Name);
  }
  Row.Name = Strings.ordinal(Name);
  return Row;
}

void Profiler::mapNames(llvm::ArrayRef<StringId> NamesInOrder) {
  size_t End = EntitiesWritten + NamesInOrder.size();
  while (EntitiesMapped != End) {
    llvm::ArrayRef<StringId> Rest =
        NamesInOrder.drop_front(EntitiesMapped - EntitiesWritten);
    size_t Run = 1;
    while (Run != Rest.size() && Rest[Run] == Rest.front())
      ++Run;
    Strings.mapRange(StringId{EntitiesMapped + 1}, Run, Rest.front());
    EntitiesMapped += Run;
  }
}

void Profiler::writeNewNames() {
  if (!Names) {
    Names = std::make_unique<NameBuilder>(Compiler.getASTContext(), Strings,
                                          Opts.HasParameters);
    if (!Opts.CheckNames.empty())
      Check = std::make_unique<NameCheck>(*Names, Strings);
    Strings.map(StringId::metadata(),
                Strings.intern(Session.Input + ", " + Session.ClangVersion));
  }
  if (!Locations)
    Locations = std::make_unique<LocationResolver>(
        Compiler.getSourceManager(), Compiler.getLangOpts(), Strings);
  QuietDiagnostics Quiet(Compiler.getDiagnostics());
  const std::vector<uint32_t> &Entities = Rec.EntitiesInOrder;
  std::vector<EntityRow> Rows;
  std::vector<StringId> NamesInOrder(Entities.size() - EntitiesWritten);
  Rows.reserve(NamesInOrder.size());
  auto declAt = [&](size_t I) {
    const EntitySlot &Slot = Rec.Slots[Entities[I]];
    return Slot.IsFile ? nullptr : static_cast<const Decl *>(Slot.Key);
  };
  for (size_t I = EntitiesWritten; I != Entities.size(); ++I) {
    Names->prefetch(I, Entities.size(), declAt);
    Rows.push_back(
        describe(Rec.Slots[Entities[I]], NamesInOrder[I - EntitiesWritten]));
  }
  mapNames(NamesInOrder);
  auto since = [](const std::vector<uint32_t> &All, size_t Written) {
    return llvm::ArrayRef<uint32_t>(All).drop_front(Written);
  };
  LocationRows Places =
      Locations->resolve(since(Rec.LocationsInOrder, LocationsWritten));
  LocationRows Declarations = Locations->resolve(
      since(DeclarationLocations, DeclarationLocationsWritten));
  if (IsNamed) // nothing will be entered any more
    Locations->addOtherInclusions();
  std::vector<InclusionRow> Inclusions(
      Locations->inclusions().begin() +
          static_cast<ptrdiff_t>(InclusionsWritten),
      Locations->inclusions().end());
  // What the sink does not take is written with the next batch.
  if (!Writer.writeDictionary(Strings))
    return;
  auto id = [](size_t Written) { return static_cast<uint32_t>(Written + 1); };
  InclusionsWritten +=
      Writer.writeInclusions(id(InclusionsWritten), Inclusions);
  if (InclusionsWritten != Locations->inclusions().size())
    return;
  LocationsWritten += Writer.writeLocations(id(LocationsWritten), Places);
  DeclarationLocationsWritten += Writer.writeDeclarationLocations(
      id(DeclarationLocationsWritten), Declarations);
  if (DeclarationLocationsWritten == DeclarationLocations.size())
    EntitiesWritten += Writer.writeEntities(id(EntitiesWritten), Rows);
}

void Profiler::writeHits() {
  Rec.settleHits();
  std::vector<MemoizedRow> Rows;
  for (size_t I = 0; I != Rec.Hits.size(); ++I)
    if (Rec.Hits[I] != 0 && Rec.Slots[I].Id != 0)
      Rows.push_back({Rec.Slots[I].Id, Rec.Hits[I]});
  size_t Kept = Writer.writeMemoizedHits(Rows);
  for (size_t I = 0, Row = 0; I != Rec.Hits.size() && Row != Kept; ++I)
    if (Rec.Hits[I] != 0 && Rec.Slots[I].Id != 0) {
      Rec.Hits[I] = 0;
      ++Row;
    }
}

void Profiler::markCrashed() {
  Buffer.live().Signal.store(UnknownSignal, std::memory_order_release);
}

void Profiler::stopRecording() {
  IsStopped = true;
  Buffer.stop();
}

void Profiler::saveAfterCrash() {
  // No event follows, so ids may be given.
  Rec.assignRemainingIds();
  writeNewNames();
  writeHits();
  if (Buffer.diesWithUs())
    Buffer.drainAll(); // nobody else can see the chunks
}

void Profiler::checkNames() {
  std::error_code Failure;
  llvm::raw_fd_ostream OS(Opts.CheckNames, Failure,
                          llvm::sys::fs::OF_Text | llvm::sys::fs::OF_Append);
  if (Failure)
    return printWarning(Opts.CheckNames + ": " + Failure.message());
  uint64_t Id = 0; // the entity's, for which its name is mapped
  for (uint32_t SlotIndex : Rec.EntitiesInOrder) {
    ++Id;
    const EntitySlot &Slot = Rec.Slots[SlotIndex];
    const auto *D = Slot.IsFile ? nullptr : static_cast<const Decl *>(Slot.Key);
    if (const auto *Named = dyn_cast_or_null<NamedDecl>(D))
      Check->compare(*Named, Strings.resolve(StringId{Id}), OS);
  }
  Check->writeStatistics(OS);
}

FooterInfo Profiler::makeFooter() {
  FooterInfo Footer;
  DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
  // Clang notes a fatal error when the next diagnostic comes, so that its notes
  // are still shown. None comes any more; this makes it note the last one.
  Diagnostics.setLastDiagnosticIgnored(Diagnostics.isLastDiagnosticIgnored());
  Footer.State = Diagnostics.hasFatalErrorOccurred() ? ExitState::FatalError
                 : Diagnostics.hasErrorOccurred()    ? ExitState::Errors
                                                     : ExitState::Success;
  Footer.EndTimeNs = Rec.LastTimeNs;
  rusage Usage;
  if (getrusage(RUSAGE_SELF, &Usage) == 0) {
    Footer.PeakRssBytes = static_cast<uint64_t>(Usage.ru_maxrss) * 1024;
    Footer.UserTimeNs = nanoseconds(Usage.ru_utime);
    Footer.SystemTimeNs = nanoseconds(Usage.ru_stime);
  }
  Footer.EventsRecorded = Rec.EventsRecorded;
  Footer.EventsElided = Rec.EventsElided;
  Footer.EventsDropped = Rec.EventsDropped;
  Footer.MemoizedHits = Rec.MemoizedHits;
  for (const std::string &Path : moduleInputs(Compiler))
    if (!llvm::is_contained(Session.ModuleInputs, Path))
      Footer.ModuleInputs.push_back(Path);
  return Footer;
}

void Profiler::finish() {
  if (IsFinished)
    return;
  if (IsStopped) {
    IsFinished = true;
    return Buffer.leave();
  }
  translationUnitDone();
  IsFinished = true;
  Phases.endPhase(EventKind::Frontend);
  withdraw(); // from now on a crash finds nothing that it could save
  if (IsEmpty && !Opts.WritesEmpty)
    return Buffer.discard();
  Buffer.drainAll();
  Writer.writeFooter(makeFooter());
  Buffer.drain();
  if (!Buffer.finish(/*KeepsExisting=*/IsEmpty))
    return reportFailure();
  if (Opts.IsVerbose)
    llvm::errs() << "instantrace: wrote " << Buffer.file().path() << '\n';
}

void Profiler::reportFailure() {
  std::string Reason = Buffer.failure();
  if (Buffer.hasCollector()) {
    printWarning(Reason + "; the profile is left to the collector");
    return Buffer.leave();
  }
  // Of a buffer without a name, nothing but the partial trace is left.
  std::string Left = Buffer.leftoverPath();
  if (Buffer.isPrivate() || (Left.empty() && Buffer.file().sizeBytes() == 0)) {
    printWarning(Reason + "; no profile of this compile");
    return Buffer.discard();
  }
  if (Left.empty())
    Left = Buffer.file().partialPath();
  printWarning(Reason + "; for the profile until then: instantrace recover " +
               Left);
  Buffer.leave();
}

} // namespace instantrace
