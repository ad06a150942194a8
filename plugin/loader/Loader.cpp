/// \file
/// libinstantrace.so: finds out which Clang it was loaded into and loads the
/// entry for it. It contains no Clang code, because a plugin of the wrong
/// release is not refused by Clang: it crashes, or silently does nothing.
///
/// Flow:   Clang (-fplugin) -> loader -> instantrace-entry-clang-MAJOR.so,
///         instantrace_register_for_clang_MAJOR() (plugin/entry)
/// Errors: one warning line on stderr; the compile goes on without a profile

#include "plugin/loader/Module.h"

#include <new>
#include <string>

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

/// The digits of the major; none when the text names none.
FixedText<16> majorOf(const char *Version) {
  static constexpr char Marker[] = "clang version ";
  FixedText<16> Major{};
  if (const char *Found = std::strstr(Version, Marker)) {
    const char *Digits = Found + sizeof(Marker) - 1;
    Major.append(Digits, std::strspn(Digits, "0123456789"));
  }
  return Major;
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
  if (isDisabled())
    return nullptr;
  std::string Version = clangVersion();
  const FixedText<16> Digits = majorOf(Version.c_str());
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
                   " does not exist; -DINSTANTRACE_CLANG_MAJORS=", Major,
                   " builds it, see docs/use/new-clang.md)"});
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
