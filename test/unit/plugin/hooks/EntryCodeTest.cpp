#include "plugin/hooks/EntryCode.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace instantrace;

namespace {

/// What a detour needs.
constexpr size_t JumpBytes = 5;

std::vector<uint8_t> bytesOf(const std::string &Hex, size_t SizeBytes = 0) {
  std::vector<uint8_t> Bytes;
  for (size_t I = 0; I + 2 <= Hex.size(); I += 2)
    Bytes.push_back(
        static_cast<uint8_t>(std::stoul(Hex.substr(I, 2), nullptr, 16)));
  if (SizeBytes != 0)
    Bytes.resize(SizeBytes, 0x90); // nop
  return Bytes;
}

EntryCode read(const std::vector<uint8_t> &Code) {
  return readEntryCode(Code.data(), Code.size(), JumpBytes);
}

EntryCode read(const std::string &Hex, size_t SizeBytes = 0) {
  return read(bytesOf(Hex, SizeBytes));
}

struct Known {
  const char *Name; ///< major, and pushCodeSynthesisContext,
                    ///< popCodeSynthesisContext or InstantiatingTemplate::Clear
  size_t SizeBytes; ///< of the whole function
  const char *Begin;
  size_t PadBytes, MovableBytes;
  size_t BranchTarget; ///< 0: none
};

// Debian's libclang-cpp.so: bookworm's 14, 15, 16, 19 and 22, trixie's 17 and
// 18, sid's 21 and 23, experimental's 24.
constexpr Known Clangs[] = {
    // clang-format off
    {"14 push", 256, "41574156415453504989fc4c", 0, 6, 0},
    {"14 pop", 241, "488b97c02800008b87c82800", 0, 7, 0},
    {"14 clear", 560, "4157415641554154534883ec", 0, 6, 0},
    {"15 push", 245, "41574156534989ff4c8d7424", 0, 5, 0},
    {"15 pop", 250, "488b97102a00008b87182a00", 0, 7, 0},
    {"15 clear", 584, "4157415641554154534883ec", 0, 6, 0},
    {"16 push", 246, "41574156534889fb4c8d7424", 0, 5, 0},
    {"16 pop", 240, "488b97003200008b87083200", 0, 7, 0},
    {"16 clear", 320, "4157415641554154534883ec", 0, 6, 0},
    {"17 push", 254, "f30f1efa41574156534889fb", 4, 5, 0},
    {"17 pop", 237, "f30f1efa488b97582f00008b", 4, 7, 0},
    {"17 clear", 322, "f30f1efa4157415641554154", 4, 6, 0},
    {"18 push", 254, "f30f1efa41574156534889fb", 4, 5, 0},
    {"18 pop", 237, "f30f1efa488b97702f00008b", 4, 7, 0},
    {"18 clear", 322, "f30f1efa4157415641554154", 4, 6, 0},
    {"19 push", 258, "41574156534889fb4c8d7424", 0, 5, 0},
    {"19 pop", 233, "488b97f02c00008b87f82c00", 0, 7, 0},
    {"19 clear", 429, "807f08000f855e0100004157", 0, 10, 360},
    {"21 push", 267, "f30f1efa4157415653488d5c", 4, 5, 0},
    {"21 pop", 234, "f30f1efa488b97302c00008b", 4, 7, 0},
    {"21 clear", 429, "f30f1efa807f08000f855a010000", 4, 10, 360},
    {"22 push", 521, "41574156534881eca0000000", 0, 5, 0},
    {"22 pop", 213, "488b8f203100008b87283100", 0, 7, 0},
    {"22 clear", 347, "807f08000f852e0100004157", 0, 10, 312},
    {"23 push", 403, "f30f1efa41574156534881ec", 4, 5, 0},
    {"23 pop", 300, "f30f1efa534883ec1064488b", 4, 5, 0},
    {"23 clear", 137, "f30f1efa807f0800757e4157", 4, 6, 136},
    {"24 push", 420, "f30f1efa41574156534881ec", 4, 5, 0},
    {"24 pop", 258, "f30f1efa50488b8708320000", 4, 8, 0},
    {"24 clear", 31, "f30f1efa807f080075145348", 4, 6, 30},
    // clang-format on
};

TEST(EntryCode, OfEachClangMayRunElsewhere) {
  for (const Known &K : Clangs) {
    EntryCode Entry = read(K.Begin, K.SizeBytes);
    EXPECT_EQ(Entry.PadBytes, K.PadBytes) << K.Name;
    EXPECT_EQ(Entry.MovableBytes, K.MovableBytes) << K.Name;
    EXPECT_EQ(Entry.BranchTarget, K.BranchTarget) << K.Name;
    EXPECT_EQ(Entry.BranchBytes != 0, K.BranchTarget != 0) << K.Name;
  }
}

TEST(EntryCode, WhatDependsOnItsPlaceIsRefused) {
  for (const char *Code : {
           "e800000000",         // call
           "e900000000",         // jmp
           "eb039090909090",     // jmp, short
           "488b0500000000",     // mov 0(%rip), %rax
           "4c8d3d00000000",     // lea 0(%rip), %r15
           "488d0500000000",     // lea 0(%rip), %rax
           "ff2500000000",       // jmp *0(%rip)
           "c39090909090",       // ret
           "cc4156415553",       // int3, a debugger's
           "0f0b90909090",       // ud2
           "e303909090909090",   // jrcxz
           "f30f1efae800000000", // call behind endbr64
       })
    EXPECT_EQ(read(Code, 64).MovableBytes, 0u) << Code;
}

// Moved, they would mean the same; but no compiler begins like this.
TEST(EntryCode, WhatIsNotOnTheListIsRefused) {
  for (const char *Code : {"c8100000", "8300000000", "8100000000000000",
                           "6681ec00109090", "4f4f5090909090", "8dc090909090"})
    EXPECT_EQ(read(Code, 64).MovableBytes, 0u) << Code;
}

TEST(EntryCode, FunctionThatEndsTooSoonIsRefused) {
  const std::vector<uint8_t> Whole = bytesOf("f30f1efa554889e5415641554154");
  for (size_t Size = 0; Size != Whole.size(); ++Size) {
    // A copy of its own, so that a sanitizer sees what is read behind it.
    std::vector<uint8_t> Cut(Whole.begin(),
                             Whole.begin() + static_cast<ptrdiff_t>(Size));
    EXPECT_EQ(read(Cut).MovableBytes, Size < 10 ? 0u : 6u) << Size;
  }
}

// A short jmp to the second of the three moved instructions, and to the first.
TEST(EntryCode, JumpInBetweenIsRefused) {
  std::vector<uint8_t> Code = bytesOf("4157415653", 64);
  EXPECT_EQ(read(Code).MovableBytes, 5u);
  Code[20] = 0xeb;
  Code[21] = static_cast<uint8_t>(2 - 22);
  EXPECT_EQ(read(Code).MovableBytes, 0u);
  Code[21] = static_cast<uint8_t>(0 - 22);
  EXPECT_EQ(read(Code).MovableBytes, 5u);
}

TEST(EntryCode, BranchHasToBeLastAndStayInside) {
  // cmpb $0, 8(%rdi); jne: enough, out of the function, backwards.
  EXPECT_EQ(read("807f08007510", 64).BranchTarget, 22u);
  EXPECT_EQ(read("807f08007510", 64).Condition, 5u);
  EXPECT_EQ(read("807f08007510", 22).MovableBytes, 0u);
  EXPECT_EQ(read("807f080075fa", 64).MovableBytes, 0u);
  EXPECT_EQ(read("807f08000f85feffffff", 64).MovableBytes, 0u);
  // push; je: too short for what has to be written there.
  EXPECT_EQ(read("5574105355", 64).MovableBytes, 0u);
}

} // namespace
