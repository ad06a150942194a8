#include "plugin/Profiler.h"

#include "plugin/ClangCompat.h"
#include "plugin/NameBuilder.h"

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

constexpr size_t PrefetchDistance = 8;

void prefetchDecl(const void *Decl) {
  __builtin_prefetch(Decl);
  __builtin_prefetch(static_cast<const char *>(Decl) + 64);
}

/// The module files that the command line names and those that are loaded by
/// now. The header is written with the first full page of events, or at the
/// end of a small compile; imports come first in a file, so few are missed.
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

} // namespace

Profiler::Profiler(CompilerInstance &Compiler, StringRef InputFile,
                   Options Options)
    : Compiler(Compiler), Opts(std::move(Options)), StartNs(monotonicNowNs()),
      Identity(identify(Compiler, InputFile)),
      File(outputName(Identity, Opts.Output)),
      Writer(File, makeSequenceId(Identity, StartNs)), Chunks(drain, this),
      Rec(Opts.Filter, Opts.Memoization, Opts.GranularityNs, StartNs, Chunks,
          Compiler.hasASTContext() ? &Compiler.getASTContext().getAllocator()
                                   : nullptr),
      Phases(Rec), Hook(makeCallbackHook(Rec, Phases)) {
  if (!Opts.Output.empty())
    File.createParents();
  Session = makeSession(Identity);
  Phases.beginPhase(EventKind::Frontend);
  if (Compiler.hasPreprocessor())
    Phases.watch(Compiler);
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
  S.Hook = std::string(Hook->name());
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
  return S;
}

void Profiler::installHook(Sema &S) { Hook->install(S); }

void Profiler::writeHeader() {
  if (IsHeaderWritten)
    return;
  IsHeaderWritten = true;
  Session.ModuleInputs = moduleInputs(Compiler);
  Writer.writeHeader(Session);
}

void Profiler::drain(void *Self, const uint8_t *Data, size_t SizeBytes) {
  auto &P = *static_cast<Profiler *>(Self);
  P.writeHeader();
  P.Writer.writeEvents(P.Rec.batchStart(), Data, SizeBytes);
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
  if (IsNamed)
    return;
  IsNamed = true;
  Phases.endOfTranslationUnit();
  IsEmpty = !hasTemplateWork();
  if (!IsEmpty || Opts.WritesEmpty) {
    Phases.beginPhase(EventKind::Profiling);
    writeNames();
    Phases.endPhase(EventKind::Profiling);
  }
  if (generatesCode(Compiler.getFrontendOpts().ProgramAction))
    Phases.beginPhase(EventKind::CodeGeneration);
}

std::vector<LocationRow> Profiler::resolveLocations(uint32_t FirstId) {
  const SourceManager &Sources = Compiler.getSourceManager();
  QuietDiagnostics Quiet(Compiler.getDiagnostics());
  std::vector<LocationRow> Rows;
  const char *LastName = nullptr;
  StringId LastFile;
  for (size_t I = FirstId - 1; I < Rec.LocationsInOrder.size(); ++I) {
    PresumedLoc Presumed = Sources.getPresumedLoc(
        SourceLocation::getFromRawEncoding(Rec.LocationsInOrder[I]));
    if (Presumed.isInvalid()) {
      Rows.push_back({Strings.intern(""), 0, 0});
      continue;
    }
    if (Presumed.getFilename() != LastName) {
      LastName = Presumed.getFilename();
      LastFile = Strings.intern(LastName);
    }
    Rows.push_back({LastFile, Presumed.getLine(), Presumed.getColumn()});
  }
  return Rows;
}

void Profiler::writeNames() {
  Chunks.flush(); // so that ids may be given outside the event stream
  Rec.assignRemainingIds();
  NameBuilder Names(Compiler.getASTContext(), Strings);
  std::vector<EntityRow> Entities;
  Entities.reserve(Rec.EntitiesInOrder.size());
  std::vector<MemoizedRow> Hits;
  for (size_t I = 0; I < Rec.EntitiesInOrder.size(); ++I) {
    // Most declarations have left the caches since they were met.
    if (I + PrefetchDistance < Rec.EntitiesInOrder.size())
      prefetchDecl(Rec.Slots[Rec.EntitiesInOrder[I + PrefetchDistance]].Key);
    uint32_t SlotIndex = Rec.EntitiesInOrder[I];
    const EntitySlot &Slot = Rec.Slots[SlotIndex];
    if (uint64_t Count = Rec.Hits[SlotIndex])
      Hits.push_back({Slot.Id, Count});
    if (Slot.IsFile) {
      StringId Path = Strings.intern(filePath(Slot.Key).str());
      Entities.push_back({Path, Path, 0, EntityKind::File});
      continue;
    }
    const auto *D = static_cast<const Decl *>(Slot.Key);
    EntityRow Row;
    Row.Kind = entityKind(*D);
    Row.DeclaredAt = Rec.internLocation(D->getLocation().getRawEncoding());
    if (const auto *Named = dyn_cast<NamedDecl>(D)) {
      NameBuilder::Names Pair = Names.names(*Named);
      Row.Name = Pair.Name;
      Row.TemplateSet = Pair.TemplateSet;
    } else {
      Row.Name = Row.TemplateSet = Strings.intern("");
    }
    Entities.push_back(Row);
  }
  std::vector<LocationRow> Locations = resolveLocations(1);
  if (!Opts.CheckNames.empty())
    checkNames(Names);
  writeHeader();
  Writer.writeDictionary(Strings);
  Writer.writeLocations(1, Locations);
  Writer.writeEntities(1, Entities);
  Writer.writeMemoizedHits(Hits);
}

void Profiler::checkNames(NameBuilder &Names) {
  std::error_code Failure;
  llvm::raw_fd_ostream OS(Opts.CheckNames, Failure,
                          llvm::sys::fs::OF_Text | llvm::sys::fs::OF_Append);
  if (Failure)
    return printWarning(Opts.CheckNames + ": " + Failure.message());
  size_t Entities = 0, Differences = 0;
  for (uint32_t SlotIndex : Rec.EntitiesInOrder) {
    const EntitySlot &Slot = Rec.Slots[SlotIndex];
    const auto *D = Slot.IsFile ? nullptr : static_cast<const Decl *>(Slot.Key);
    const auto *Named = dyn_cast_or_null<NamedDecl>(D);
    if (!Named)
      continue;
    ++Entities;
    std::string Ours = Strings.expand(Names.names(*Named).Name);
    std::string Theirs = Names.printed(*Named);
    if (Ours == Theirs)
      continue;
    ++Differences;
    OS << Named->getDeclKindName() << ": built '" << Ours << "', Clang prints '"
       << Theirs << "'\n";
  }
  OS << Entities << " entities, " << Differences << " differences ("
     << Names.LeafDecls << " printed as one leaf)\n";
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
  Footer.MemoizedHits = Rec.MemoizedHits;
  return Footer;
}

void Profiler::finish() {
  if (IsFinished)
    return;
  translationUnitDone();
  IsFinished = true;
  Phases.endPhase(EventKind::Frontend);
  if (IsEmpty && !Opts.WritesEmpty)
    return File.discard();
  Chunks.flush();
  Writer.writeFooter(makeFooter());
  File.commit(/*KeepsExisting=*/IsEmpty);
  if (!File.error().empty())
    printWarning(File.error() + "; no profile of this compile");
  else if (Opts.IsVerbose)
    llvm::errs() << "instantrace: wrote " << File.path() << '\n';
}

} // namespace instantrace
