#include "utils/trial/ScratchCommand.h"

#include "utils/session/BuildEnvironment.h"
#include "utils/trial/OptionList.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace instantrace;

namespace {

/// The driver's, of which the next word is the value. They read only.
constexpr OptionList<16> KeptWithValue = {
    "-I",          "-D",       "-U",           "-isystem", "-iquote",
    "-idirafter",  "-include", "-include-pch", "-imacros", "-isysroot",
    "-iprefix",    "-x",       "-target",      "--param",  "-stdlib++-isystem",
    "-cxx-isystem"};
/// Outputs, and what is for the linker; with a value.
constexpr OptionList<15> DroppedWithValue = {"-o",
                                             "-MF",
                                             "-MT",
                                             "-MQ",
                                             "-MJ",
                                             "-L",
                                             "-l",
                                             "-Xlinker",
                                             "-z",
                                             "-u",
                                             "-T",
                                             "-dumpdir",
                                             "-dumpbase",
                                             "-serialize-diagnostics",
                                             "--serialize-diagnostics"};
constexpr OptionList<17> DroppedBegin = {"-M",
                                         "-L",
                                         "-l",
                                         "-Wl,",
                                         "-Wp,-M",
                                         "-o",
                                         "-save-temps",
                                         "--save-temps",
                                         "-ftime-trace",
                                         "-fcrash-diagnostics",
                                         "-fmodule-output",
                                         "-fsave-optimization-record",
                                         "-foptimization-record-",
                                         "-fproc-stat-report",
                                         "-fuse-ld=",
                                         "-fplugin-arg-instantrace-",
                                         "-static-lib"};
constexpr OptionList<16> Kept = {"-c",
                                 "-S",
                                 "-w",
                                 "-ansi",
                                 "-pthread",
                                 "-pipe",
                                 "-nostdinc",
                                 "-nostdinc++",
                                 "-nostdlibinc",
                                 "-fsyntax-only",
                                 "-undef",
                                 "-pedantic",
                                 "-pedantic-errors",
                                 "-Qunused-arguments",
                                 "-static",
                                 "-shared"};
constexpr OptionList<15> KeptBegin = {
    "-I",         "-D",       "-U",        "-isystem",   "-iquote",
    "-idirafter", "-std=",    "--std=",    "-O",         "-g",
    "-W",         "-stdlib=", "--target=", "--sysroot=", "--gcc-toolchain="};
/// -f options whose value is a file that is read, or a text.
constexpr OptionList<15> KeptFileValues = {"-fmodule-file=",
                                           "-fprebuilt-module-path=",
                                           "-fmodule-map-file=",
                                           "-fprofile-use=",
                                           "-fprofile-instr-use=",
                                           "-fprofile-sample-use=",
                                           "-fdebug-prefix-map=",
                                           "-ffile-prefix-map=",
                                           "-fmacro-prefix-map=",
                                           "-fcoverage-prefix-map=",
                                           "-fsanitize-ignorelist=",
                                           "-fsanitize-blacklist=",
                                           "-fdebug-compilation-dir=",
                                           "-ffile-compilation-dir=",
                                           "-fcoverage-compilation-dir="};
/// That load, run or write, whatever their value.
constexpr OptionList<10> RefusedF = {"-fsycl",
                                     "-fverify-debuginfo-preserve",
                                     "-fplugin",
                                     "-fpass-plugin",
                                     "-fno-integrated-as",
                                     "-fopenmp-targets",
                                     "-fthin-link-bitcode",
                                     "-fmodules-cache-path",
                                     "-fmodule-header",
                                     "-foffload"};
/// Of -cc1, behind -Xclang.
constexpr OptionList<3> KeptInside = {"-fno-pch-timestamp", "-disable-free",
                                      "-emit-obj"};
/// The value has an -Xclang of its own; without one, -cc1 would take what the
/// driver writes next, such as the -o of the scratch folder.
constexpr OptionList<3> KeptInsideWithValue = {"-include-pch", "-include",
                                               "-target-abi"};
/// Clang assembles for them by itself; for others it runs programs that it
/// finds by PATH or --sysroot, such as ptxas.
constexpr OptionList<11> OwnAssembler = {
    "x86_64-", "i386-",   "i486-", "i586-",   "i686-", "aarch64-",
    "arm",     "riscv64", "mips",  "powerpc", "s390x-"};

bool assemblesItself(std::string_view Target) {
  return beginsWithOne(OwnAssembler, Target) &&
         Target.find("-linux") != Target.npos;
}

CompileWord wordForF(std::string_view Word) {
  if (beginsWithOne(KeptFileValues, Word))
    return CompileWord::Keep;
  // A value with a slash may be an output that is not known here.
  return beginsWithOne(RefusedF, Word) || Word.find('/') != Word.npos
             ? CompileWord::Refuse
             : CompileWord::Keep;
}

/// "-DA=1,-UB"
bool definesOnly(std::string_view Parts) {
  while (Parts.starts_with("-D") || Parts.starts_with("-U")) {
    const size_t Comma = Parts.find(',');
    if (Comma == Parts.npos)
      return true;
    Parts.remove_prefix(Comma + 1);
  }
  return false;
}

bool isCxxLanguage(std::string_view Name) {
  return Name.starts_with("c++") || Name.starts_with("objective-c++");
}

Error refused(const std::string &Word) {
  return Error{"the option " + Word +
               " is not known to write nothing outside of the scratch folder"};
}

} // namespace

CompileWord instantrace::compileWord(std::string_view Word) {
  if (contains(KeptWithValue, Word))
    return CompileWord::KeepWithValue;
  if (contains(DroppedWithValue, Word))
    return CompileWord::DropWithValue;
  if (contains(Kept, Word))
    return CompileWord::Keep;
  if (Word.starts_with("-fplugin=") && Word.ends_with("/libinstantrace.so"))
    return CompileWord::Drop;
  if (beginsWithOne(DroppedBegin, Word))
    return CompileWord::Drop;
  if (Word.starts_with("-Wp,"))
    return definesOnly(Word.substr(4)) ? CompileWord::Keep
                                       : CompileWord::Refuse;
  if (Word.starts_with("-Wa,"))
    return Word == "-Wa,--noexecstack" ? CompileWord::Keep
                                       : CompileWord::Refuse;
  if (Word.starts_with("-f"))
    return wordForF(Word);
  if (Word.starts_with("-m"))
    return Word.starts_with("-mllvm") || Word.find('/') != Word.npos
               ? CompileWord::Refuse
               : CompileWord::Keep;
  if (Word.starts_with("-gen") || Word.starts_with("-gcc"))
    return CompileWord::Refuse;
  return beginsWithOne(KeptBegin, Word) ? CompileWord::Keep
                                        : CompileWord::Refuse;
}

std::string instantrace::findProgram(const std::string &Name,
                                     const std::string &Folder) {
  namespace fs = std::filesystem;
  auto isProgram = [](const fs::path &Path) {
    std::error_code Failed;
    return fs::is_regular_file(Path, Failed) &&
           ::access(Path.c_str(), X_OK) == 0;
  };
  if (Name.find('/') != Name.npos) {
    const fs::path Path = fs::path(Folder) / Name;
    return isProgram(Path) ? Path.string() : std::string();
  }
  const char *Value = std::getenv("PATH");
  std::string_view Folders = Value ? Value : "";
  while (!Folders.empty()) {
    const size_t End = std::min(Folders.find(':'), Folders.size());
    const fs::path Path = fs::path(Folders.substr(0, End)) / Name;
    if (Path.is_absolute() && isProgram(Path))
      return Path.string();
    Folders.remove_prefix(std::min(End + 1, Folders.size()));
  }
  return {};
}

bool instantrace::isClangDriver(std::string_view Name) {
  const size_t Found = Name.rfind("clang");
  if (Found == Name.npos || (Found != 0 && Name[Found - 1] != '-'))
    return false;
  std::string_view Rest = Name.substr(Found + 5);
  if (Rest.starts_with("++"))
    Rest.remove_prefix(2);
  return Rest.empty() ||
         (Rest.size() > 1 && Rest[0] == '-' &&
          Rest.find_first_not_of("0123456789.", 1) == Rest.npos);
}

Result<std::string> instantrace::clangDriver(const std::string &Program,
                                             const std::string &Folder) {
  const std::string Name = Program.substr(Program.rfind('/') + 1);
  if (!isClangDriver(Name))
    return Error{"its compiler " + Program + " is not called as Clang is"};
  if (const size_t Begin = Name.rfind("clang");
      Begin != 0 && !assemblesItself(Name.substr(0, Begin)))
    return Error{"its compiler " + Program +
                 " may run other programs for its target"};
  std::string Found = findProgram(Program, Folder);
  if (Found.empty())
    return Error{"its compiler " + Program + " is not there"};
  return Found;
}

Result<ScratchCommand>
instantrace::scratchCommand(const TraceSession &Session,
                            const std::string &OutputFolder) {
  const std::vector<std::string> &Argv = Session.Argv;
  if (Argv.empty() || Session.ClangVersion.empty())
    return Error{"its command was not recorded"};
  if (!Session.WorkingDirectory.starts_with('/'))
    return Error{"the folder of its compile was not recorded"};
  ScratchCommand Made;
  Made.WorkingDirectory = Session.WorkingDirectory;
  INSTANTRACE_TRY_ASSIGN(std::string Found,
                         clangDriver(Argv.front(), Session.WorkingDirectory));
  Made.Words.push_back(Found);
  if (Argv.size() > 1 && Argv[1].starts_with("-cc1"))
    return Error{"its command is a job of Clang's driver, which links as well"};
  bool HasMode = false;
  for (size_t I = 1; I < Argv.size(); ++I) {
    const std::string &Word = Argv[I];
    if (Word == Session.Input && Made.InputIndex == 0 && Word[0] != '-') {
      Made.InputIndex = Made.Words.size();
      Made.Words.push_back(Word);
      continue;
    }
    if (Word == "--")
      continue;
    if (Word == "-Xclang" && I + 1 < Argv.size()) {
      const std::string &Inside = Argv[++I];
      Made.Words.insert(Made.Words.end(), {"-Xclang", Inside});
      if (contains(KeptInside, Inside))
        continue;
      if (!contains(KeptInsideWithValue, Inside) || I + 2 >= Argv.size() ||
          Argv[I + 1] != "-Xclang" || Argv[I + 2].starts_with('-'))
        return refused("-Xclang " + Inside);
      Made.Words.insert(Made.Words.end(), {"-Xclang", Argv[I + 2]});
      I += 2;
      continue;
    }
    if (!Word.starts_with('-') || Word == "-")
      return Error{Word.starts_with('@')
                       ? "its options are in a file, " + Word
                       : "it compiles more than one file: " + Word};
    const CompileWord Chosen = compileWord(Word);
    const bool HasValue = Chosen == CompileWord::KeepWithValue ||
                          Chosen == CompileWord::DropWithValue;
    if (Chosen == CompileWord::Refuse || (HasValue && I + 1 == Argv.size()))
      return refused(Word);
    if (Word == "-x" && !isCxxLanguage(Argv[I + 1]))
      return refused("-x " + Argv[I + 1]);
    constexpr std::string_view Joined = "--target=";
    if ((Word == "-target" && !assemblesItself(Argv[I + 1])) ||
        (Word.starts_with(Joined) &&
         !assemblesItself(Word.substr(Joined.size()))))
      return Error{"Clang may run other programs for the target of " + Word};
    HasMode |= Word == "-c" || Word == "-S" || Word == "-fsyntax-only";
    if (Chosen == CompileWord::Keep || Chosen == CompileWord::KeepWithValue)
      Made.Words.push_back(Word);
    if (HasValue && ++I < Argv.size() && Chosen == CompileWord::KeepWithValue)
      Made.Words.push_back(Argv[I]);
  }
  if (Made.InputIndex == 0)
    return Error{"its source is not in its command"};
  std::error_code Failed;
  if (const auto Source =
          std::filesystem::path(Made.WorkingDirectory) / Session.Input;
      !std::filesystem::is_regular_file(Source, Failed))
    return Error{"its source is not there: " + Source.string()};
  for (std::string_view Ending : {".cu", ".cuh", ".hip"})
    if (Session.Input.ends_with(Ending))
      return Error{"it compiles for a device"};
  if (!HasMode)
    Made.Words.emplace_back("-c");
  // The assembler is another program.
  Made.Words.insert(Made.Words.end(),
                    {"-fintegrated-as", "-o", OutputFolder + "/unit.o"});
  return Made;
}

std::vector<std::string>
instantrace::scratchEnvironment(const std::string &TemporaryFolder) {
  constexpr OptionList<15> Dropped = {"CCC_",
                                      "CC_PRINT_",
                                      "CC_LOG_",
                                      "INSTANTRACE_",
                                      "DEPENDENCIES_OUTPUT=",
                                      "SUNPRO_DEPENDENCIES=",
                                      "TMPDIR=",
                                      "TMP=",
                                      "TEMP=",
                                      "XDG_CACHE_HOME=",
                                      "CCACHE_DISABLE=",
                                      "CLANG_CRASH_DIAGNOSTICS_DIR=",
                                      "CLANG_MODULE_CACHE_PATH=",
                                      "LIBCLANG_",
                                      "FORCE_CLANG_DIAGNOSTICS_CRASH="};
  std::vector<std::string> Environment;
  for (std::string &Variable : ownEnvironment())
    if (!beginsWithOne(Dropped, Variable))
      Environment.push_back(std::move(Variable));
  for (const char *Name :
       {"TMPDIR", "XDG_CACHE_HOME", "CLANG_CRASH_DIAGNOSTICS_DIR"})
    Environment.push_back(Name + ("=" + TemporaryFolder));
  Environment.emplace_back("CCACHE_DISABLE=1");
  return Environment;
}
