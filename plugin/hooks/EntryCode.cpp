#include "plugin/hooks/EntryCode.h"

#include <cstring>

namespace instantrace {

namespace {

constexpr uint8_t Endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

/// Bytes of ModRM and what belongs to it; 0: they are not whole, or name an
/// address relative to the instruction.
size_t operandBytes(const uint8_t *ModRm, size_t Left) {
  if (Left == 0)
    return 0;
  const unsigned Mod = ModRm[0] >> 6, Rm = ModRm[0] & 7;
  constexpr unsigned HasSib = 4, HasNoBase = 5;
  if (Mod == 3)
    return 1;
  size_t Bytes = 1;
  unsigned Base = Rm;
  if (Rm == HasSib) {
    if (Left < 2)
      return 0;
    Base = ModRm[1] & 7;
    Bytes = 2;
  }
  if (Mod == 0 && Base == HasNoBase)
    return Rm == HasSib ? Bytes + 4 : 0; // absolute, or by the place
  return Bytes + (Mod == 0 ? 0 : Mod == 1 ? 1 : 4);
}

/// `sub $N, %reg` and `and $N, %reg`, and `cmp $N` of anything.
bool isMovableOperation(uint8_t ModRm) {
  constexpr unsigned And = 4, Subtract = 5, Compare = 7;
  const unsigned Operation = ModRm >> 3 & 7;
  return Operation == Compare ||
         (ModRm >> 6 == 3 && (Operation == And || Operation == Subtract));
}

/// 0: it is not on the list, or not whole.
size_t movableInstruction(const uint8_t *Code, size_t Left) {
  size_t Opcode = Left != 0 && (Code[0] & 0xf0) == 0x40; // behind a REX prefix
  if (Left < Opcode + 1)
    return 0;
  size_t Immediate = 0;
  switch (Code[Opcode]) {
  case 0x50: // push
  case 0x51:
  case 0x52:
  case 0x53:
  case 0x54:
  case 0x55:
  case 0x56:
  case 0x57:
    return Opcode + 1;
  case 0x31: // xor
  case 0x33:
  case 0x89: // mov
  case 0x8b:
  case 0x8d: // lea
    break;
  case 0x80: // sub, and, cmp
  case 0x83:
    Immediate = 1;
    break;
  case 0x81:
    Immediate = 4;
    break;
  case 0x0f: // movzbl, movzwl
    if (Left < Opcode + 2 || (Code[Opcode + 1] & 0xfe) != 0xb6)
      return 0;
    ++Opcode;
    break;
  default:
    return 0;
  }
  const uint8_t *ModRm = Code + Opcode + 1;
  const size_t Operand = operandBytes(ModRm, Left - Opcode - 1);
  if (Operand == 0 || (Immediate != 0 && !isMovableOperation(*ModRm)) ||
      (Code[Opcode] == 0x8d && *ModRm >> 6 == 3)) // no such lea
    return 0;
  const size_t Bytes = Opcode + 1 + Operand + Immediate;
  return Bytes <= Left ? Bytes : 0;
}

int32_t int32At(const uint8_t *Bytes) {
  int32_t Value;
  std::memcpy(&Value, Bytes, sizeof(Value));
  return Value;
}

/// Whether bytes of the function look like a direct jump to \p Target. They may
/// be part of another instruction; no direct jump is missed.
bool seemsToJump(const uint8_t *Code, size_t SizeBytes, size_t Target) {
  auto reaches = [&](size_t End, int64_t Distance) {
    return static_cast<int64_t>(End) + Distance == static_cast<int64_t>(Target);
  };
  for (size_t I = 0; I != SizeBytes; ++I) {
    const size_t Left = SizeBytes - I;
    const uint8_t First = Code[I];
    // jcc, jmp, loop and jrcxz by 8 bits; jmp and jcc by 32.
    const bool IsShort =
        (First & 0xf0) == 0x70 || First == 0xeb || (First & 0xfc) == 0xe0;
    if ((IsShort && Left >= 2 &&
         reaches(I + 2, static_cast<int8_t>(Code[I + 1]))) ||
        (First == 0xe9 && Left >= 5 && reaches(I + 5, int32At(Code + I + 1))) ||
        (First == 0x0f && Left >= 6 && (Code[I + 1] & 0xf0) == 0x80 &&
         reaches(I + 6, int32At(Code + I + 2))))
      return true;
  }
  return false;
}

} // namespace

namespace {

/// A conditional jump from \p Index to somewhere in the function; none:
/// BranchBytes is 0.
EntryCode readBranch(const uint8_t *Code, size_t SizeBytes, size_t Index) {
  EntryCode Branch;
  const size_t Left = SizeBytes - Index;
  int64_t Distance = 0;
  if (Left >= 2 && (Code[Index] & 0xf0) == 0x70) {
    Branch.BranchBytes = 2;
    Branch.Condition = Code[Index] & 0x0f;
    Distance = int64_t(Code[Index + 1] ^ 0x80) - 0x80; // it has a sign
  } else if (Left >= 6 && Code[Index] == 0x0f &&
             (Code[Index + 1] & 0xf0) == 0x80) {
    Branch.BranchBytes = 6;
    Branch.Condition = Code[Index + 1] & 0x0f;
    Distance = int32At(Code + Index + 2);
  }
  const int64_t Behind = static_cast<int64_t>(Index + Branch.BranchBytes);
  if (Distance < 0 || Behind + Distance >= static_cast<int64_t>(SizeBytes))
    return {};
  Branch.BranchTarget = static_cast<size_t>(Behind + Distance);
  return Branch;
}

} // namespace

EntryCode readEntryCode(const uint8_t *Code, size_t SizeBytes,
                        size_t LeastBytes) {
  EntryCode Entry;
  if (SizeBytes >= sizeof(Endbr64) &&
      std::memcmp(Code, Endbr64, sizeof(Endbr64)) == 0)
    Entry.PadBytes = sizeof(Endbr64);
  const size_t Pad = Entry.PadBytes;
  while (Entry.MovableBytes < LeastBytes) {
    const size_t Done = Pad + Entry.MovableBytes;
    size_t Next = movableInstruction(Code + Done, SizeBytes - Done);
    if (Next == 0 && Done != Pad) {
      Entry = readBranch(Code, SizeBytes, Done);
      Next = Entry.BranchBytes;
    }
    // A jump to the first instruction is a call of the function itself.
    if (Next == 0 || (Done != Pad && seemsToJump(Code, SizeBytes, Done)) ||
        (Entry.BranchBytes != 0 && Done + Next - Pad < LeastBytes))
      return {};
    Entry.PadBytes = Pad;
    Entry.MovableBytes = Done + Next - Pad;
  }
  return Entry;
}

} // namespace instantrace
