/// \file
/// Reads the machine code at the beginning of a function, to see whether it may
/// run elsewhere.
///
/// Flow:   bytes of a function -> [EntryCode] -> Detour
/// Rule:   an instruction is one of a short list that does the same wherever it
///         stands, or a conditional jump inside the function behind such; or
///         the function is refused
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume
///         2, chapters 2 (prefixes, ModRM, SIB) and 3 to 4 (opcodes)
/// Leaves: changing anything, to Detour
#pragma once

#include <cstddef>
#include <cstdint>

namespace instantrace {

struct EntryCode {
  /// A landing pad of indirect calls, endbr64, which stays where it is.
  size_t PadBytes = 0;
  /// The instructions behind it that may run elsewhere; 0: they may not.
  size_t MovableBytes = 0;
  /// The last of them, if it is a conditional jump, which has to be written for
  /// its new place; 0: it is none.
  size_t BranchBytes = 0;
  uint8_t Condition = 0;   ///< the low bits of its opcode
  size_t BranchTarget = 0; ///< from the function's first byte
};

/// Reads the function \p Code of \p SizeBytes, for x86-64. At least
/// \p LeastBytes are movable, or none; none, too, where the function seems to
/// jump in between the instructions that would be moved.
EntryCode readEntryCode(const uint8_t *Code, size_t SizeBytes,
                        size_t LeastBytes);

} // namespace instantrace
