/// \file
/// libinstantrace.so: finds out which Clang it was loaded into and loads the
/// entry for it. It contains no Clang code, because a plugin of the wrong
/// release is not refused by Clang: it crashes, or silently does nothing.
///
/// Flow:   Clang (-fplugin) -> loader -> instantrace-entry-clang-MAJOR.so,
///         instantrace_register_for_clang_MAJOR() (plugin/entry)
///         static analyzer (--analyze, clang-tidy) -> its version, no checkers
/// Errors: one warning line on stderr; the compile goes on without a profile

#include "plugin/loader/Module.h"

#include <string>

/// The static analyzer takes each plugin of a command for one with checkers,
/// and warns unless this is its own CLANG_VERSION_STRING, letter by letter. It
/// then looks for clang_registerCheckers, and is content if there is none.
/// Source: loading in Clang's StaticAnalyzer/Frontend/CheckerRegistry.cpp.
extern "C" {
extern char clang_analyzerAPIVersionString[64];
[[gnu::visibility("default")]] char clang_analyzerAPIVersionString[64] = "";
}

namespace {

using namespace instantrace;

/// clang::getClangFullVersion() of the process: "Debian clang version 14.0.6".
/// Empty when this is no Clang that exports its symbols, or one built with
/// another standard library, whose std::string is another type.
std::string clangVersion() {
  using Function = std::string (*)();
  void *Symbol =
      ::dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev");
  return Symbol ? reinterpret_cast<Function>(Symbol)() : std::string();
}

/// "14.0.6 (2)" of what clangVersion() returns; empty when it names none.
const char *numberIn(const char *Version) {
  static constexpr char Marker[] = "clang version ";
  const char *Found = std::strstr(Version, Marker);
  return Found ? Found + sizeof(Marker) - 1 : "";
}

FixedText<16> majorOf(const char *Number) {
  FixedText<16> Major{};
  Major.append(Number, std::strspn(Number, "0123456789"));
  return Major;
}

/// Before the analyzer reads it: it loads a library, and then looks in it.
void answerAnalyzer(const char *Number) {
  FixedText<sizeof(clang_analyzerAPIVersionString)> Version{};
  Version.append(Number, std::strcspn(Number, " "));
  std::memcpy(clang_analyzerAPIVersionString, Version.text(),
              Version.size() + 1);
}

#define OPTION_OF_LOADER(Name, Variable, Shape, Meaning)                       \
  constexpr char Name[] = Variable;
#include "plugin/Options.def"

bool isDisabled() {
  const char *Value = std::getenv(DisableVariable);
  return Value && *Value && std::strcmp(Value, "0") != 0;
}

/// The module's function; null, with a warning: there is none.
using RegisterFunction = void (*)();
RegisterFunction load() {
  std::string Version = clangVersion();
  const char *Number = numberIn(Version.c_str());
  answerAnalyzer(Number);
  if (isDisabled())
    return nullptr;
  const FixedText<16> Digits = majorOf(Number);
  const char *Major = Digits.text();
  if (!*Major)
    return refuse({"cannot tell the version of this compiler (",
                   Version.empty() ? "it exports no clang::getClangFullVersion"
                                   : Version.c_str(),
                   ")"});
  const FixedText<64> Profiler{"instantrace-clang-", Major, ".so"};
  const ModulePath Module = pathBeside(&DisableVariable, Profiler.text());
  if (::access(Module.text(), F_OK) != 0)
    return refuse({"no plugin for Clang ", Major, " (", Module.text(),
                   " does not exist; install the package instantrace-clang-",
                   Major, ", or run `utils/dev install ", Major,
                   "` in a checkout, see docs/use/new-clang.md)"});
  const FixedText<64> Entry{"instantrace-entry-clang-", Major, ".so"};
  const FixedText<64> Symbol{"instantrace_register_for_clang_", Major};
  return reinterpret_cast<RegisterFunction>(loadFunction(
      pathBeside(&DisableVariable, Entry.text()), Symbol.text(), Major));
}

/// Clang's handler ends the compiler when an allocation fails.
[[gnu::constructor]] void loadOrWarn() noexcept {
  std::new_handler Before = std::set_new_handler(nullptr);
  RegisterFunction Register = nullptr;
  try {
    Register = load();
  } catch (...) {
    refuse({"out of memory"});
  }
  std::set_new_handler(Before);
  if (Register)
    Register();
}

} // namespace
