/// \file
/// What the fuzzers run, as functions, so that a unit test replays their
/// inputs. FuzzMain.cpp makes a libFuzzer program of one of them.
///
/// Flow:   libFuzzer | ReplayTest -> one of these -> the code under test
/// Errors: none are returned. A broken promise of the code aborts
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace instantrace::fuzz {

/// A promise of the code.
inline void require(bool Holds) {
  if (!Holds)
    std::abort();
}

/// A buffer that somebody hostile has filled, and fills while we read. The
/// input is a list of patches to zeroed memory, so that it stays small:
///   byte 0    bits 0-2 page size, bits 3-4 pages - 1, bit 5 emulation,
///             bit 6 our own writers
///   then      offset / 4 (3 bytes, little-endian), length (1), bytes;
///             offset 0xFFFFFF: what follows is written after the first search
void fuzzShmBuffer(const uint8_t *Data, size_t SizeBytes);

/// A chunk that came some other way: header and payload.
void fuzzShmChunk(const uint8_t *Data, size_t SizeBytes);

/// A buffer that a killed compile left, damaged, to the recovered trace. The
/// input is a list of patches to a good image, then the partial trace:
///   byte 0    bit 0 keep the checksum of the good header, bit 1 cut a page off
///   then      offset (2 bytes, little-endian), length (5 bits), bytes; bit 7
///             of the length: the rest is the partial trace
void fuzzRecovery(const uint8_t *Data, size_t SizeBytes);

/// Dictionary packets for both decoders of names: before each, its length in a
/// byte; the first that is refused is the last.
void fuzzNames(const uint8_t *Data, size_t SizeBytes);

/// A trace file, through both ways to read one and then what a command does
/// with it:
///   byte 0    which command; bit 7: checksums are left as they are, and not
///             made to fit
///   byte 1    its options
///   then      the file
void fuzzTrace(const uint8_t *Data, size_t SizeBytes);

/// A query over a small trace. Byte 0 is the format of its rows, the rest SQL.
void fuzzSql(const uint8_t *Data, size_t SizeBytes);

/// The file of a store with what lies beside it: patches to a good one that has
/// a build in its log alone.
///   byte 0    modulo 6 what is done; bit 7: a journal names a file
///   then      which of file, log, index and journal (the two highest bits)
///             and offset (3 bytes together, little-endian), length (1), bytes;
///             length 0: it ends there
void fuzzStore(const uint8_t *Data, size_t SizeBytes);

/// Arguments of the tool, one in a line, which are parsed and never run.
void fuzzCommandLine(const uint8_t *Data, size_t SizeBytes);

/// An index. Bit 0 of byte 0: checksums are left as they are, and not made to
/// fit.
void fuzzIndex(const uint8_t *Data, size_t SizeBytes);

/// A session.json, read, and made into another one by `merge` and by `split`.
void fuzzSession(const uint8_t *Data, size_t SizeBytes);
/// A file of zstd frames, as a compressed trace is.
void fuzzCompressed(const uint8_t *Data, size_t SizeBytes);

/// A script of the debugger over a small index. Bit 0 of byte 0: its answers
/// are JSON.
void fuzzReplayScript(const uint8_t *Data, size_t SizeBytes);

/// What a server of ClickHouse answers.
void fuzzServerReply(const uint8_t *Data, size_t SizeBytes);

/// A function's machine code, which a detour would be written into.
void fuzzEntryCode(const uint8_t *Data, size_t SizeBytes);

/// Inputs made by real writers, to begin with.
std::vector<std::string> shmBufferSeeds();
std::vector<std::string> shmChunkSeeds();
std::vector<std::string> recoverySeeds();
std::vector<std::string> namesSeeds();
std::vector<std::string> traceSeeds();
std::vector<std::string> sqlSeeds();
std::vector<std::string> storeSeeds();
std::vector<std::string> commandLineSeeds();
std::vector<std::string> indexSeeds();
std::vector<std::string> sessionSeeds();
std::vector<std::string> compressedSeeds();
std::vector<std::string> replayScriptSeeds();
std::vector<std::string> serverReplySeeds();
std::vector<std::string> entryCodeSeeds();

struct FuzzTarget {
  const char *Name; ///< of its folder in test/fuzz/corpus
  void (*Run)(const uint8_t *Data, size_t SizeBytes);
  std::vector<std::string> (*Seeds)();
  unsigned Mutations = 1500; ///< that tests try; fewer where one takes long
};
/// Every target above; the replay goes through this list, so a new one is a
/// function here, a line here, a folder and a line in CMakeLists.txt.
inline constexpr FuzzTarget FuzzTargets[] = {
    {"shm-buffer", fuzzShmBuffer, shmBufferSeeds},
    {"shm-chunk", fuzzShmChunk, shmChunkSeeds},
    {"recovery", fuzzRecovery, recoverySeeds},
    {"names", fuzzNames, namesSeeds},
    {"trace", fuzzTrace, traceSeeds, 800},
    {"sql", fuzzSql, sqlSeeds, 200},
    {"store", fuzzStore, storeSeeds, 100},
    {"command-line", fuzzCommandLine, commandLineSeeds, 300},
    {"index", fuzzIndex, indexSeeds},
    {"session", fuzzSession, sessionSeeds},
    {"compressed", fuzzCompressed, compressedSeeds, 200},
    {"replay-script", fuzzReplayScript, replayScriptSeeds, 300},
    {"server-reply", fuzzServerReply, serverReplySeeds},
    {"entry-code", fuzzEntryCode, entryCodeSeeds},
};

} // namespace instantrace::fuzz
