#include "plugin/CompileFacts.h"

#include "plugin/ClangCompat.h"
#include "plugin/recorder/Clock.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ModuleFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <sys/resource.h>
#include <unistd.h>

using namespace clang;

namespace instantrace {

namespace {

/// \p Process: "self", or a number.
std::vector<std::string> processArguments(const std::string &Process) {
  std::vector<std::string> Arguments;
  auto Buffer =
      llvm::MemoryBuffer::getFileAsStream("/proc/" + Process + "/cmdline");
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

bool isSource(StringRef Argument) {
  StringRef Ending = llvm::sys::path::extension(Argument);
  if (Ending.empty() || Argument.front() == '-')
    return false;
  Language Written =
      FrontendOptions::getInputKindForExtension(Ending.drop_front())
          .getLanguage();
  return Written != Language::Unknown && Written != Language::Asm &&
         Written != Language::LLVM_IR;
}

/// Whether the driver that has started us has others do the same for another
/// source or -arch of its command. The options of all of them are the same.
bool isOneOfSeveral(const CompileIdentity &Compile) {
  if (Compile.Argv.size() < 2 || Compile.Argv[1] != "-cc1")
    return false;
  std::vector<std::string> Command =
      processArguments(std::to_string(::getppid()));
  return llvm::is_contained(Command, Compile.Input) &&
         (llvm::count_if(Command, isSource) > 1 ||
          llvm::count(Command, "-arch") > 1);
}

uint64_t nanoseconds(const timeval &T) {
  return static_cast<uint64_t>(T.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(T.tv_usec) * 1000;
}

std::string optimizationLevel(const CodeGenOptions &Options) {
  if (Options.OptimizeSize != 0)
    return Options.OptimizeSize == 1 ? "Os" : "Oz";
  return "O" + std::to_string(Options.OptimizationLevel);
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

} // namespace

CompileIdentity identify(const CompilerInstance &Compiler, StringRef Input) {
  CompileIdentity Compile;
  llvm::SmallString<256> Directory;
  if (!llvm::sys::fs::current_path(Directory)) {
    // What Clang takes its relative paths to be below, with
    // -working-directory.
    StringRef Asked = Compiler.getFileSystemOpts().WorkingDir;
    if (llvm::sys::path::is_absolute(Asked))
      Directory = Asked;
    else if (!Asked.empty()) // append() ends with a slash for nothing, too
      llvm::sys::path::append(Directory, Asked);
    Compile.WorkingDirectory = Directory.str().str();
  }
  Compile.Input = Input.str();
  Compile.Object = Compiler.getFrontendOpts().OutputFile;
  Compile.Triple = Compiler.getTarget().getTriple().str();
  Compile.Argv = processArguments("self");
  Compile.IsDevicePass = isDevicePass(Compiler.getLangOpts());
  Compile.IsOneOfSeveral = isOneOfSeveral(Compile);
  return Compile;
}

uint32_t makeSequenceId(const CompileIdentity &Compile, uint64_t StartNs) {
  uint64_t Seed =
      StartNs * 0x9E3779B97F4A7C15U + static_cast<uint64_t>(getpid());
  for (char C : Compile.Object + Compile.Input)
    Seed = (Seed ^ static_cast<unsigned char>(C)) * 0x100000001B3U;
  auto Id = static_cast<uint32_t>(Seed ^ (Seed >> 32));
  return Id != 0 ? Id : 1;
}

SessionInfo describeSession(CompilerInstance &Compiler,
                            const CompileIdentity &Compile, const Options &Opts,
                            uint64_t StartNs) {
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
  S.RealtimeNs = nowNs(CLOCK_REALTIME);
  S.Filter = Opts.Filter;
  S.Memoization = Opts.Memoization;
  S.GranularityNs = Opts.granularityNs();
  S.TimeUnitNs = TimeUnitNs;
  S.Clock = describeClock(Opts.Clock);
  S.ModuleInputs = moduleInputs(Compiler);
  return S;
}

static uint64_t peakRssBytes(const rusage &Usage) {
  return static_cast<uint64_t>(Usage.ru_maxrss) * 1024;
}

uint64_t peakRssBytes() {
  rusage Usage;
  return getrusage(RUSAGE_SELF, &Usage) == 0 ? peakRssBytes(Usage) : 0;
}

FooterInfo describeEnd(CompilerInstance &Compiler, const SessionInfo &Session) {
  FooterInfo Footer;
  DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
  // Clang notes a fatal error when the next diagnostic comes, so that its notes
  // are still shown. None comes any more; this makes it note the last one.
  Diagnostics.setLastDiagnosticIgnored(Diagnostics.isLastDiagnosticIgnored());
  Footer.State = Diagnostics.hasFatalErrorOccurred() ? ExitState::FatalError
                 : Diagnostics.hasErrorOccurred()    ? ExitState::Errors
                                                     : ExitState::Success;
  rusage Usage;
  if (getrusage(RUSAGE_SELF, &Usage) == 0) {
    Footer.PeakRssBytes = peakRssBytes(Usage);
    Footer.UserTimeNs = nanoseconds(Usage.ru_utime);
    Footer.SystemTimeNs = nanoseconds(Usage.ru_stime);
  }
  for (const std::string &Path : moduleInputs(Compiler))
    if (!llvm::is_contained(Session.ModuleInputs, Path))
      Footer.ModuleInputs.push_back(Path);
  return Footer;
}

} // namespace instantrace
