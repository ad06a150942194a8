/// \file
/// libinstantrace.so: finds out which Clang it was loaded into and loads the
/// module for it. It contains no Clang code, because a plugin of the wrong
/// release is not refused by Clang: it crashes, or silently does nothing.
///
/// Flow:   Clang (-fplugin) -> loader -> instantrace-clang-MAJOR.so,
///         instantrace_register_for_clang_MAJOR()
/// Errors: one warning line on stderr; the compile goes on without a profile

#include "runtime/shm/WriteSignalBlock.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <new>
#include <string>
#include <unistd.h>

namespace {

void writeLine(const char *Line, size_t Bytes) noexcept {
  instantrace::WriteSignalBlock Block;
  // Nothing is left to do when stderr is closed or full.
  [[maybe_unused]] ssize_t Written = ::write(STDERR_FILENO, Line, Bytes);
}

void warn(const std::string &Message) {
  std::string Line =
      "instantrace: warning: " + Message + "; no profile of this compile\n";
  writeLine(Line.data(), Line.size());
}

/// warn(), as a result.
std::nullptr_t refuse(const std::string &Message) {
  warn(Message);
  return nullptr;
}

/// clang::getClangFullVersion() of the process: "Debian clang version 14.0.6".
/// Empty when this is no Clang that exports its symbols, or one built with
/// another standard library, whose std::string is another type.
std::string clangVersion() {
  using Function = std::string (*)();
  void *Symbol =
      ::dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev");
  return Symbol ? reinterpret_cast<Function>(Symbol)() : std::string();
}

/// 0 when the text names none.
unsigned majorOf(const std::string &Version) {
  static constexpr char Marker[] = "clang version ";
  size_t At = Version.find(Marker);
  if (At == std::string::npos)
    return 0;
  return static_cast<unsigned>(
      std::strtoul(Version.c_str() + At + std::strlen(Marker), nullptr, 10));
}

std::filesystem::path ownDirectory() {
  Dl_info Info;
  static const char Anchor = 0;
  if (::dladdr(&Anchor, &Info) == 0 || !Info.dli_fname)
    return {};
  std::error_code Failure;
  std::filesystem::path Self =
      std::filesystem::canonical(Info.dli_fname, Failure);
  return Failure ? std::filesystem::path(Info.dli_fname).parent_path()
                 : Self.parent_path();
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
  unsigned Major = majorOf(Version);
  if (Major == 0)
    return refuse("cannot tell the version of this compiler (" +
                  (Version.empty() ? "it exports no clang::getClangFullVersion"
                                   : Version) +
                  ")");
  std::filesystem::path Module =
      ownDirectory() / ("instantrace-clang-" + std::to_string(Major) + ".so");
  std::error_code Failure;
  if (!std::filesystem::exists(Module, Failure))
    return refuse(
        "no plugin for Clang " + std::to_string(Major) + " (" +
        Module.string() + " does not exist; -DINSTANTRACE_CLANG_MAJORS=" +
        std::to_string(Major) + " builds it, see docs/use/new-clang.md)");
  // RTLD_NOW: a module that does not fit fails here and not in mid-compile.
  void *Handle = ::dlopen(Module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    const char *Reason = ::dlerror();
    return refuse("cannot load " + Module.string() + ": " +
                  (Reason ? Reason : "unknown error"));
  }
  // Some modules resolve in a Clang that they were not built for.
  std::string Name = "instantrace_register_for_clang_" + std::to_string(Major);
  void *Register = ::dlsym(Handle, Name.c_str());
  if (!Register)
    return refuse(Module.string() + " is not a plugin for Clang " +
                  std::to_string(Major));
  return reinterpret_cast<RegisterFunction>(Register);
}

/// Clang's handler ends the compiler when an allocation fails.
[[gnu::constructor]] void loadOrWarn() noexcept {
  std::new_handler Before = std::set_new_handler(nullptr);
  RegisterFunction Register = nullptr;
  try {
    Register = load();
  } catch (...) {
    static constexpr char Line[] = "instantrace: warning: out of memory; no "
                                   "profile of this compile\n";
    writeLine(Line, sizeof(Line) - 1);
  }
  std::set_new_handler(Before);
  if (Register)
    Register();
}

} // namespace
