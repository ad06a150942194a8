/// \file
/// Has calls of functions in this process go to functions of ours first.
///
///     function:  endbr64            page within reach, read and execute alone:
///                jmp ─────────────► jmp *(replacement)
///        ┌─────► the rest           copy of the instructions under the jump ◄─
///        Original └───────────────────────── jmp *(the rest)
///
/// Flow:    symbols -> [Detour] -> EntryCode, the process's memory
/// Memory:  pages with code stay as they are mapped, readable and executable:
///          five bytes of each function are written through /proc/self/mem,
///          which gives this process its own copy of the page. No page is ever
///          writable and executable at once, and no file is touched
/// Errors:  the reason, and then nothing has been changed
/// Threads: refused where there is a second one, which might be running what is
///          written. Those that are started later may call the functions
/// Leaves:  that the replacements stay loaded, to who calls
#pragma once

#include <cstddef>
#include <string>

namespace instantrace {

struct Detour {
  void *Function = nullptr;
  size_t SizeBytes = 0; ///< of its code
  void *Replacement = nullptr;
  void *Original = nullptr; ///< made: what runs the function as it was
};

/// All of them or none. Empty when they are made, otherwise why not. They stay
/// until the process ends.
std::string makeDetours(Detour *All, size_t Count);

} // namespace instantrace
