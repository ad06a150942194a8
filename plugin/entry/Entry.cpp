/// \file
/// instantrace-entry-clang-MAJOR.so: the action that Clang knows of us, which
/// loads the profiler when there is a compile that can have a template. Of C,
/// where none can be, it is all that is loaded: the profiler is bound to more
/// than three hundred symbols of the compiler, and finding them took longer
/// than all else that we did to a small C file.
///
/// Flow:   loader -> entry -> instantrace-clang-MAJOR.so,
///         instantrace_action_for_clang_MAJOR() (plugin/Plugin.cpp)
/// Errors: one warning line on stderr; the compile goes on without a profile

#include "plugin/OptionValues.h"
#include "plugin/entry/TemplateLanguage.h"
#include "plugin/loader/Module.h"
#include "plugin/memory/AlwaysMade.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <memory>
#include <vector>

using namespace clang;

namespace instantrace {

namespace {

#define ENTRY_TEXT_OF(Number) #Number
#define ENTRY_TEXT(Number) ENTRY_TEXT_OF(Number)
#define CLANG_MAJOR_TEXT ENTRY_TEXT(CLANG_VERSION_MAJOR)

#define OPTION_SWITCH(Member, Name, InEnvironment, Meaning)                    \
  [[maybe_unused]] constexpr char Member##Key[] = Name;                        \
  [[maybe_unused]] constexpr char Member##Variable[] = InEnvironment;
#include "plugin/Options.def"

constexpr char LoaderName[] = "libinstantrace.so";

/// The profiler's action, which lives as long as the process; null: it cannot
/// be loaded, which is said once.
PluginASTAction *loadProfiler() {
  static const char Anchor = 0;
  using ActionFunction = PluginASTAction *(*)();
  void *Function = loadFunction(
      pathBeside(&Anchor, "instantrace-clang-" CLANG_MAJOR_TEXT ".so"),
      "instantrace_action_for_clang_" CLANG_MAJOR_TEXT, CLANG_MAJOR_TEXT);
  return Function ? reinterpret_cast<ActionFunction>(Function)() : nullptr;
}

/// CodeView debug information has the arguments of -cc1. Without ours, the
/// object is that of a compile without us.
void leaveCommandLine(CodeGenOptions &Options) {
  std::vector<std::string> &Arguments = Options.CommandLineArgs;
  for (auto Argument = Arguments.begin(); Argument != Arguments.end();) {
    auto Value = Argument + 1;
    bool IsOurs = Value != Arguments.end() &&
                  ((*Argument == "-load" &&
                    llvm::sys::path::filename(*Value) == LoaderName) ||
                   *Argument == "-plugin-arg-instantrace");
    Argument = IsOurs ? Arguments.erase(Argument, Value + 1) : Value;
  }
}

class EntryAction final : public PluginASTAction,
                          public AlwaysMade<EntryAction> {
public:
  /// False, and Clang leaves us out, where nothing can be recorded. An argument
  /// that may have to be warned of is read by the profiler in every language.
  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    // Clang hands its own instance over as one that is not to be changed.
    leaveCommandLine(const_cast<CompilerInstance &>(Compiler).getCodeGenOpts());
    if (!canHaveTemplates(Compiler) && !std::getenv(WritesEmptyVariable) &&
        llvm::all_of(Arguments, [](const std::string &Argument) {
          return isPlainOption(Argument) &&
                 splitOption(Argument).first != WritesEmptyKey;
        }))
      return false;
    static PluginASTAction *const Loaded = loadProfiler();
    Profiler = Loaded;
    return Profiler && Profiler->ParseArgs(Compiler, Arguments);
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef InputFile) override {
    return Profiler->CreateASTConsumer(Compiler, InputFile);
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  PluginASTAction *Profiler = nullptr;
};

} // namespace

} // namespace instantrace

#define ENTRY_PASTE(A, B) A##B
#define ENTRY_REGISTER_FOR(Major)                                              \
  ENTRY_PASTE(instantrace_register_for_clang_, Major)

/// Called by the loader. Its name says for which Clang the module is: loading
/// one into another Clang has no effect until it is called.
extern "C" [[gnu::visibility("default")]] void
ENTRY_REGISTER_FOR(CLANG_VERSION_MAJOR)() {
  using namespace instantrace;
  static const FrontendPluginRegistry::Add<EntryAction> Register(
      "instantrace", "profile template instantiation");
}
