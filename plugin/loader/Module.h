/// \file
/// Libraries of ours that lie beside the one that asks for them.
///
/// Memory:  none of the heap and none of the C++ library: this runs in every
///          compile, where each symbol that has to be found costs, and before
///          anything catches a failed allocation
/// Errors:  one warning line on stderr; the compile goes on without a profile
/// Threads: any
#pragma once

#include "runtime/shm/WriteSignalBlock.h"

#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <unistd.h>

namespace instantrace {

/// A line of parts, cut at its end where they do not fit.
template <size_t Bytes> class FixedText {
public:
  FixedText(std::initializer_list<const char *> Parts) {
    for (const char *Part : Parts)
      append(Part, std::strlen(Part));
  }
  void append(const char *Part, size_t PartBytes) {
    size_t Room = Bytes - 1 - Length;
    size_t Fitting = PartBytes < Room ? PartBytes : Room;
    std::memcpy(Text + Length, Part, Fitting);
    Length += Fitting;
    Text[Length] = '\0';
  }
  const char *text() const { return Text; }
  size_t size() const { return Length; }

private:
  char Text[Bytes];
  size_t Length = 0;
};

/// As a result: nothing was loaded.
inline std::nullptr_t refuse(std::initializer_list<const char *> Reason) {
  FixedText<size_t(3) * PATH_MAX> Line{"instantrace: warning: "};
  for (const char *Part : Reason)
    Line.append(Part, std::strlen(Part));
  static constexpr char End[] = "; no profile of this compile\n";
  Line.append(End, sizeof(End) - 1);
  WriteSignalBlock Block;
  // Nothing is left to do when stderr is closed or full.
  [[maybe_unused]] ssize_t Written =
      ::write(STDERR_FILENO, Line.text(), Line.size());
  return nullptr;
}

using ModulePath = FixedText<PATH_MAX + 64>;

/// \p Name in the folder of the library that calls, links resolved.
/// \p Within: anything of that library.
inline ModulePath pathBeside(const void *Within, const char *Name) {
  Dl_info Info;
  char Resolved[PATH_MAX];
  const char *Self = ::dladdr(Within, &Info) != 0 ? Info.dli_fname : nullptr;
  if (Self && ::realpath(Self, Resolved))
    Self = Resolved;
  ModulePath Path{};
  if (const char *Slash = Self ? std::strrchr(Self, '/') : nullptr)
    Path.append(Self, static_cast<size_t>(Slash + 1 - Self));
  Path.append(Name, std::strlen(Name));
  return Path;
}

/// Loads a library and finds its function \p Symbol, whose name says for which
/// Clang, \p Major, it is: some libraries resolve in a Clang that they were not
/// built for.
inline void *loadFunction(const ModulePath &Module, const char *Symbol,
                          const char *Major) {
  // RTLD_NOW: a module that does not fit fails here and not in mid-compile.
  void *Handle = ::dlopen(Module.text(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    const char *Reason = ::dlerror();
    return refuse({"cannot load ", Module.text(), ": ",
                   Reason ? Reason : "unknown error"});
  }
  void *Found = ::dlsym(Handle, Symbol);
  if (!Found)
    return refuse({Module.text(), " is not a plugin for Clang ", Major});
  return Found;
}

} // namespace instantrace
