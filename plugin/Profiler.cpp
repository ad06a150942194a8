#include "plugin/Profiler.h"

#include "plugin/backend/ObjectSizes.h"
#include "plugin/memory/OutOfMemory.h"
#include "plugin/names/ShortName.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace instantrace {

namespace {

bool generatesCode(frontend::ActionKind Action) {
  return Action != frontend::ParseSyntaxOnly;
}

bool makesMachineCode(frontend::ActionKind Action) {
  return Action == frontend::EmitObj || Action == frontend::EmitAssembly ||
         Action == frontend::EmitCodeGenOnly;
}

bool usesLlvm(frontend::ActionKind Action) {
  return makesMachineCode(Action) || Action == frontend::EmitBC ||
         Action == frontend::EmitLLVM || Action == frontend::EmitLLVMOnly;
}

std::string sessionPackets(const SessionInfo &Session, uint32_t SequenceId) {
  std::string Bytes;
  StringSink Sink(Bytes);
  TraceWriter(Sink, SequenceId).writeHeader(Session);
  return Bytes;
}

/// What "observer: REASON" begins with.
std::string hookWord(const std::string &Hook) {
  return Hook.substr(0, Hook.find(':'));
}

/// Before work that allocates a lot: what was held back for an allocation that
/// failed is there again, or the profile ends here.
void needMemory() {
  if (!refillMemoryReserve())
    throw std::bad_alloc();
}

/// A compile without template work has a trace if it took so long: somebody
/// will ask why.
constexpr uint64_t LeastWorkNs = 200'000'000;

/// Less growth has no sample of its own.
constexpr uint64_t SampledBytes = 1 << 20;

/// What the session's packets grow by once all of it is known.
constexpr size_t SessionSlackBytes = 1024;

} // namespace

Profiler::Profiler(CompilerInstance &Compiler, StringRef InputFile,
                   Options Options)
    : Compiler(Compiler), Opts(std::move(Options)), StartNs(monotonicNowNs()),
      Identity(identify(Compiler, InputFile)),
      Session(describeSession(Compiler, Identity, Opts, StartNs)),
      Buffer(outputName(Identity, Opts.Output), Opts.bufferOptions(),
             sessionPackets(Session, 1).size() + SessionSlackBytes),
      Writer(Buffer, makeSequenceId(Identity, StartNs)),
      Rec(Opts.Filter, Opts.Memoization, Opts.granularityNs(), StartNs,
          isCounter(Session.Clock), Buffer.events(), Buffer.live(),
          Compiler.hasASTContext() ? &Compiler.getASTContext().getAllocator()
                                   : nullptr,
          *this),
      Naming(std::in_place, Compiler, Opts,
             Session.Input + ", " + Session.ClangVersion, Rec.entities(),
             Rec.locations(), Writer),
      Phases(Rec), Lines(Rec),
      Hook(makeHook(Opts.Hook, Opts.Notices, Rec, Phases)),
      Backend(Rec, Writer, Buffer.live(), *this),
      Leftover(Buffer.leftoverPath()) {
  Rec.watchErrors(Compiler.getDiagnostics());
  if (!Opts.NamesEarly)
    Rec.nameNothingEarly();
  Session.Hook = std::string(Hook->name());
  if (!Hook->reportsMemoization()) {
    Session.Memoization = MemoizationMode::Off;
    if (Opts.Memoization == MemoizationMode::Events)
      printWarning("hook=" + hookWord(Session.Hook) +
                   " does not see memoized hits; this profile has none");
  }
  Session.Buffer = Buffer.description();
  startBuffer();
  if (isRequestedTwice(Identity, Opts.Output))
    printWarning("output=" + Opts.Output +
                 " is one file, and this command compiles several: the trace "
                 "is " +
                 outputName(Identity, Opts.Output));
  if (Opts.IsVerbose && !Buffer.collectorFailure().empty())
    printLine(Buffer.collectorFailure() + "; recording without it");
  Phases.beginPhase(EventKind::Frontend);
  if (Opts.Hook == HookChoice::Callback && !hasCallbackHook())
    printWarning("this Clang has no TemplateInstantiationCallback; hook=" +
                 hookWord(Session.Hook) + " is used");
  if (Opts.Hook == HookChoice::Probes && hookWord(Session.Hook) != "probes")
    printWarning("hook=probes cannot be used (" +
                 Session.Hook.substr(Session.Hook.find(' ') + 1) +
                 "); hook=observer is used");
  enlist();
}

Profiler::~Profiler() {
  if (WatchedBackend)
    WatchedBackend->Rec = nullptr;
}

void Profiler::watchFiles() {
  if (Compiler.hasPreprocessor())
    Phases.watch(Compiler, *Hook, Identity.Input);
}

void Profiler::watch(Sema &S) {
  Hook->install(S);
  Lines.watch(S, *Hook, Opts.StatementUs * 1000);
}

void Profiler::startBuffer() {
  uint32_t SequenceId = makeSequenceId(Identity, StartNs);
  std::string Packets = sessionPackets(Session, SequenceId);
  TraceBuffer::Session Start;
  Start.SequenceId = SequenceId;
  Start.RealtimeNs = Session.RealtimeNs;
  Start.MonotonicNs = Session.MonotonicNs;
  Start.Packets = Packets;
  Buffer.start(Start);
}

/// Clang reports a memoized hit for every class that it needs to be complete,
/// also where there is no template. Hits alone count when a specialization is
/// among them: one that comes from a PCH or a module.
bool Profiler::hasTemplateWork() const {
  if (Rec.counts().TemplateIntervals != 0)
    return true;
  return llvm::any_of(Rec.entities().all(), [](const Entity &E) {
    if (!E.isDeclaration())
      return false;
    const auto *Class =
        dyn_cast<CXXRecordDecl>(static_cast<const Decl *>(E.Key));
    return !Class || Class->getTemplateSpecializationKind() != TSK_Undeclared;
  });
}

void Profiler::translationUnitDone() {
  if (IsNamed || IsStopped)
    return;
  IsNamed = true;
  needMemory();
  llvm::SaveAndRestore<unsigned> Use(Uses, Uses + 1);
  Naming->allFilesEntered(Phases.enteredFiles());
  Hook->translationUnitDone();
  if (!Hook->doubt().empty())
    printWarning("times are as exact as with hook=observer: " +
                 std::string(Hook->doubt()));
  Phases.endOfTranslationUnit();
  IsEmpty = !hasTemplateWork() && Rec.nowNs() < LeastWorkNs;
  if (!IsEmpty || Opts.WritesEmpty) {
    Phases.beginPhase(EventKind::Profiling);
    Rec.payEarlyNaming();
    // The chunk ends here, so that ids may be given outside the event stream.
    Buffer.events().complete();
    Buffer.neverDrop();
    if (wantsBackend())
      for (const Decl *Member : synthesizedMembers(Rec.entities()))
        Rec.entities().giveIdIfNone(Member);
    writeRemaining();
    Naming->writeCheck();
    if (wantsBackend())
      Backend.learnNames(
          Compiler.getASTContext(),
          !Compiler.getCodeGenOpts().CXXCtorDtorAliases ||
              !Compiler.getTarget().getTriple().isOSBinFormatELF());
    Phases.endPhase(EventKind::Profiling);
  }
  HasAst = false;
  Rec.astIsDone();
  // Clang frees the AST before it makes code: what has no name in the trace by
  // now (it could not be written) gets none, and nothing may ask for it. What
  // we have of it is memory that code generation can use.
  const bool WatchesBackend = wantsBackend() && !Naming->hasWork();
  if (WatchesBackend) {
    Naming->forgetDeclarations();
  } else {
    if (wantsBackend())
      BackendState = "off: names could not be written";
    Naming.reset();
    Rec.forgetMet();
  }
  if (generatesCode(Compiler.getFrontendOpts().ProgramAction))
    Phases.beginPhase(EventKind::CodeGeneration);
  if (WatchesBackend)
    startBackend();
}

/// A compile with errors makes no code.
bool Profiler::wantsBackend() const {
  const CodeGenOptions &Options = Compiler.getCodeGenOpts();
  return Opts.Backend != BackendChoice::Off &&
         (Opts.Backend == BackendChoice::On ||
          Options.OptimizationLevel != 0) &&
         (!IsEmpty || Opts.WritesEmpty) &&
         usesLlvm(Compiler.getFrontendOpts().ProgramAction) &&
         !Compiler.getDiagnostics().hasErrorOccurred();
}

void Profiler::startBackend() {
  auto Target = std::make_shared<BackendTarget>();
  Target->Rec = &Backend;
  Target->Client = this;
  Target->MakesMachineCode =
      makesMachineCode(Compiler.getFrontendOpts().ProgramAction);
  if (watchPasses(Compiler, Target))
    WatchedBackend = std::move(Target);
  else
    BackendState = "off: this compile cannot be watched";
}

void Profiler::finishBackend() {
  if (!WatchedBackend)
    return;
  WatchedBackend->Rec = nullptr;
  Backend.finish();
  Phases.endPhase(EventKind::CodeGeneration);
  if (!Backend.hasFunctions()) {
    BackendState = "off: no pass was heard of";
    return;
  }
  BackendState = "passes";
  if (!WatchedBackend->MakesMachineCode)
    return;
  if (!Backend.hasMachineFunctions()) {
    BackendState += ": no machine code was heard of";
    return;
  }
  BackendState = "functions";
  if (uint32_t Count = Backend.namesNotLearned())
    BackendState += ": no time for the names of " + std::to_string(Count);
  Phases.beginPhase(EventKind::Profiling);
  ObjectSizes Sizes = readObjectSizes(Compiler);
  CodeBytes = Sizes.CodeBytes;
  Backend.objectSizes(Sizes.Functions);
  Phases.endPhase(EventKind::Profiling);
}

/// Between chunks, since the ids are not given by events.
void Profiler::nameFunctions(llvm::ArrayRef<const void *> Keys) {
  if (!Keys.empty())
    Buffer.events().complete();
  EntityTable &Entities = Rec.entities();
  for (const void *Key : Keys)
    Entities.giveId(Entities.slotOf(Key), EntityOrigin::Function);
  Naming->run();
}

void Profiler::entityMet(const Entity &Met) {
  // What waits for its name has a slot of its own; a few more may be met until
  // naming begins.
  static_assert(Recorder::LargestBatch + 64 <= TraceBuffer::NewestEntityCount);
  static_assert(ShortName::MaxBytes == sizeof(NewestEntity::Text));
  if (Met.isFile()) {
    StringRef Path = filePath(Met.Key);
    return Buffer.noteNewestEntity(
        Met.Id, ShortName::ofPath({Path.data(), Path.size()}).text());
  }
  if (Met.Origin == EntityOrigin::Function)
    return Buffer.noteNewestEntity(Met.Id,
                                   std::string_view(functionName(Met.Key))
                                       .substr(0, sizeof(NewestEntity::Text)));
  const auto *Named =
      dyn_cast<NamedDecl>(static_cast<const Decl *>(Met.declaration()));
  Buffer.noteNewestEntity(Met.Id,
                          Named ? ShortName(*Named).text() : "(unnamed)",
                          mainFileLine(Met.LastLocation));
}

uint32_t Profiler::mainFileLine(uint32_t RawLocation) {
  const SourceManager &Sources = Compiler.getSourceManager();
  const FileID Main = Sources.getMainFileID();
  unsigned Offset = 0;
  const auto Location = SourceLocation::getFromRawEncoding(RawLocation);
  if (RawLocation == 0 || Main.isInvalid() ||
      Sources.isLoadedSourceLocation(Location) ||
      !Sources.isInFileID(Sources.getExpansionLoc(Location), Main, &Offset))
    return 0;
  bool IsInvalid = false;
  const unsigned LineNo = Sources.getLineNumber(Main, Offset, &IsInvalid);
  return IsInvalid ? 0 : LineNo;
}

void Profiler::sampleMemory() {
  const uint64_t PeakBytes = peakRssBytes();
  Buffer.live().PeakRssBytes.store(PeakBytes, std::memory_order_relaxed);
  if (PeakBytes < SampledRssBytes + SampledBytes)
    return;
  Writer.writeMemory(Rec.nextInterval(), Rec.openIntervals(), PeakBytes);
  SampledRssBytes = PeakBytes;
}

void Profiler::nameEntities(NamingWork Due) {
  if (IsStopped || !Naming)
    return;
  sampleMemory();
  if (!hasNamingWork(Due))
    return;
  needMemory();
  llvm::SaveAndRestore<unsigned> Use(Uses, Uses + 1);
  if (Due == NamingWork::Early) {
    llvm::SmallVector<uint32_t, 64> Open;
    Rec.forOpenEntities([&Open](uint32_t Id) { Open.push_back(Id); });
    return Naming->runEarly(Open, [this](uint32_t Id, const EntityRow &Row) {
      Buffer.noteWholeName(Id, Row);
    });
  }
  bool IsRecorded = Rec.wants(EventKind::Profiling);
  if (IsRecorded)
    Rec.begin(EventKind::Profiling);
  Rec.payEarlyNaming();
  if (Due == NamingWork::Locations)
    Naming->runLocations();
  else
    Naming->run();
  if (Buffer.events().chunksFilled() >= ChunksAtNextHits)
    writeHits();
  if (IsRecorded)
    Rec.end();
}

/// What was named early counts as well: it may not change what is recorded.
bool Profiler::hasNamingWork(NamingWork Due) {
  if (Due == NamingWork::Early)
    return Naming->hasWork();
  const uint32_t EntityCount = Rec.entities().idCount();
  const uint32_t LocationCount = Rec.locations().size();
  bool HasWork = Naming->hasWork() || EntityCount != CountedEntities ||
                 LocationCount != CountedLocations;
  if (Due == NamingWork::All)
    CountedEntities = EntityCount;
  CountedLocations = LocationCount;
  return HasWork;
}

void Profiler::writeRemaining() {
  Rec.entities().giveRemainingIds();
  Naming->run();
  writeHits();
  // Otherwise a wait, after which what is due is looked for, would name again.
  CountedEntities = Rec.entities().idCount();
  CountedLocations = Rec.locations().size();
  Rec.allNamed();
}

void Profiler::writeHits() {
  EntityTable &Entities = Rec.entities();
  size_t Rows = Writer.writeMemoizedHits(Entities.hits());
  Entities.forgetHits(Rows);
  // A row has four bytes, a chunk 64 KiB: one byte in 8 at most is for hits
  // that a kill would take.
  constexpr size_t RowsPerChunk = 2048;
  ChunksAtNextHits = Buffer.events().chunksFilled() + 2 + Rows / RowsPerChunk;
}

void Profiler::markCrashed() {
  Buffer.live().RanOutOfMemory.store(hasRunOutOfMemory() ? 1 : 0,
                                     std::memory_order_relaxed);
  Buffer.live().Signal.store(UnknownSignal, std::memory_order_release);
}

void Profiler::stopRecording() {
  IsStopped = true;
  Buffer.stop();
}

void Profiler::saveAfterCrash() {
  if (HasAst)
    writeRemaining(); // no event follows, so ids may be given
  if (Buffer.diesWithUs())
    Buffer.drainAll(); // nobody else can see the chunks
}

FooterInfo Profiler::makeFooter() {
  FooterInfo Footer = describeEnd(Compiler, Session);
  EventCounts Counts = Rec.counts();
  Footer.EndTimeNs = Rec.lastWallNs();
  if (!Hook->doubt().empty())
    Footer.Hook = "observer: " + std::string(Hook->doubt());
  Footer.Backend = BackendState.empty() ? "off" : BackendState;
  Footer.CodeBytes = CodeBytes;
  Footer.EventsRecorded = Counts.Recorded;
  Footer.EventsElided = Counts.Elided;
  Footer.EventsDropped = Counts.Dropped;
  Footer.MemoizedHits = Counts.MemoizedHits;
  Footer.FailedInside = Rec.failedInside();
  return Footer;
}

void Profiler::finish() {
  if (IsFinished)
    return;
  writeRest();
  // Of an interpreter, more may come; the trace has what there was.
  Hook->stop();
  Rec.stop(/*IsIdle=*/Uses == 0);
}

void Profiler::writeRest() {
  if (IsStopped) {
    IsFinished = true;
    return Buffer.leave();
  }
  translationUnitDone();
  needMemory();
  llvm::SaveAndRestore<unsigned> Use(Uses, Uses + 1);
  finishBackend();
  Phases.endPhase(EventKind::Frontend);
  withdraw(); // from now on a crash finds nothing that it could save
  if (IsEmpty && !Opts.WritesEmpty) {
    IsFinished = true;
    return Buffer.discard();
  }
  Buffer.drainAll();
  Writer.writeFooter(makeFooter());
  Buffer.drain();
  bool IsWritten = Buffer.finish(/*KeepsExisting=*/IsEmpty);
  if (!IsWritten)
    reportFailure();
  IsFinished = true;
  if (!IsWritten)
    return;
  if (Opts.IsVerbose)
    printLine("wrote " + Buffer.file().path());
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

void Profiler::giveUp() noexcept {
  if (IsFinished)
    return;
  IsFinished = true;
  withdraw();
  stopRecording();
  if (WatchedBackend)
    WatchedBackend->Rec = nullptr;
  Hook->stop();
  Rec.stop(/*IsIdle=*/Uses == 0);
  if (Uses == 0)
    Naming.reset();
  if (Buffer.hasCollector()) {
    warnOfNoMemory("the profile is left to the collector");
    return Buffer.leave();
  }
  const char *Left = Leftover.c_str();
  if (*Left == '\0' && !Buffer.isPrivate() && Buffer.file().sizeBytes() != 0)
    Left = Buffer.file().partialPath().c_str();
  if (*Left == '\0') {
    warnOfNoMemory("no profile of this compile");
    return Buffer.discard();
  }
  warnOfNoMemory("for the profile until then: instantrace recover ", Left);
  Buffer.leave();
}

} // namespace instantrace
