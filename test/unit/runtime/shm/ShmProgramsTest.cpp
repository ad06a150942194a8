/// \file
/// Runs the programs of test/stress: two processes over one buffer, one of them
/// killed, one of them of the other word size, and one that counts allocations.
#include "test/unit/runtime/shm/ShmBuffers.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace instantrace;
using namespace instantrace::test;

namespace {

struct Ended {
  int SpawnError = 0;
  int Code = -1; ///< or minus the signal
  std::string Output;
};

std::string program(const std::string &Name) {
  return std::string(INSTANTRACE_STRESS_OUTPUT) + "/" + Name;
}

Ended run(const std::vector<std::string> &Words) {
  Ended E;
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0) {
    E.SpawnError = errno;
    return E;
  }
  posix_spawn_file_actions_t Actions;
  ::posix_spawn_file_actions_init(&Actions);
  ::posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 1);
  ::posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 2);
  std::vector<char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(const_cast<char *>(Word.c_str()));
  Pointers.push_back(nullptr);
  pid_t Pid = -1;
  E.SpawnError = ::posix_spawn(&Pid, Pointers[0], &Actions, nullptr,
                               Pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&Actions);
  ::close(Pipe[1]);
  char Buffer[4096];
  for (ssize_t Got; (Got = ::read(Pipe[0], Buffer, sizeof(Buffer))) > 0;)
    E.Output.append(Buffer, static_cast<size_t>(Got));
  ::close(Pipe[0]);
  int Status = 0;
  if (E.SpawnError == 0 && ::waitpid(Pid, &Status, 0) == Pid)
    E.Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : -WTERMSIG(Status);
  return E;
}

/// Of shm-stress: the numbers stand in its usage.
std::vector<std::string> stress(const char *Scenario, size_t PageSize,
                                size_t Pages, uint32_t Layout, size_t Records,
                                size_t Seed, size_t WaitMs) {
  std::vector<std::string> Words = {program("shm-stress"), Scenario};
  for (size_t Number : {PageSize, Pages, size_t(Layout), Records, Seed, WaitMs})
    Words.push_back(std::to_string(Number));
  return Words;
}

void expectSuccess(const std::vector<std::string> &Words) {
  Ended E = run(Words);
  std::string Command;
  for (const std::string &Word : Words)
    Command += Word + " ";
  EXPECT_EQ(E.SpawnError, 0) << Command;
  EXPECT_EQ(E.Code, 0) << Command << "\n" << E.Output;
}

/// A writer that has to wait may wait this long; the test is about bytes.
constexpr size_t GenerousMs = 60000;
constexpr uint32_t OwnChoice = 0;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr size_t Times = 1;
#else
constexpr size_t Times = 4;
#endif

class ShmTwoProcesses : public testing::TestWithParam<size_t> {};

INSTANTIATE_TEST_SUITE_P(All, ShmTwoProcesses, testing::ValuesIn(PageSizes),
                         [](const auto &Info) {
                           return std::to_string(Info.param / 1024) + "KiB";
                         });

// 2.4 million records (without sanitizers) over all page sizes and layouts, and
// the writer's choice.
TEST_P(ShmTwoProcesses, EveryByteArrives) {
  for (uint32_t Layout = OwnChoice; Layout <= 5; ++Layout)
    expectSuccess(stress("stream", GetParam(), 4, Layout, 20000 * Times,
                         GetParam() + Layout, GenerousMs));
}

// One page, of which one chunk is often one writer's and one the other's.
TEST_P(ShmTwoProcesses, EveryByteArrivesThroughOnePage) {
  for (uint32_t Layout : {OwnChoice, 2u, 3u, 4u, 5u})
    expectSuccess(stress("stream", GetParam(), 1, Layout, 5000 * Times, Layout,
                         GenerousMs));
}

TEST_P(ShmTwoProcesses, TheReaderIsKilled) {
  // With sanitizers every other layout: three programs to start for each.
  for (uint32_t Layout = OwnChoice; Layout <= 5; Layout += Times == 1 ? 2 : 1)
    expectSuccess(stress("kill-reader", GetParam(), Layout == 1 ? 4 : 2, Layout,
                         25000 * Times, GetParam() + Layout, 20));
}

TEST_P(ShmTwoProcesses, TheWriterIsKilled) {
  for (uint32_t Layout = OwnChoice; Layout <= 5; ++Layout)
    for (size_t Seed = 0; Seed != 2 + Times; ++Seed)
      expectSuccess(stress("kill-writer", GetParam(),
                           1 + Seed * 2 + (Layout == 1), Layout, 1000000000,
                           Seed, GenerousMs));
}

TEST(ShmPrograms, WritingAllocatesNothing) {
  expectSuccess({program("shm-no-allocation")});
}

// Nothing of the buffer, but a program like the others.
TEST(StringsProgram, ATableThatRanOutOfMemoryGoesOn) {
  expectSuccess({program("strings-out-of-memory")});
}

#if defined(__x86_64__) // which other one runs 32-bit programs differs
TEST(ShmPrograms, WordSizesAgree) {
  ASSERT_EQ(::access(program("shm-abi-layout-32").c_str(), X_OK), 0)
      << "the compiler makes no 32-bit programs (package g++-multilib)";
  Ended Ours = run({program("shm-abi-layout")});
  Ended Theirs = run({program("shm-abi-layout-32")});
  ASSERT_EQ(Ours.Code, 0);
  EXPECT_GT(Ours.Output.size(), 1000u);
  if (Theirs.SpawnError == ENOEXEC)
    GTEST_SKIP() << "this kernel runs no 32-bit programs";
  ASSERT_EQ(Theirs.Code, 0) << Theirs.SpawnError;
  EXPECT_EQ(Ours.Output, Theirs.Output);
}

TEST(ShmPrograms, AWriterOfTheOtherWordSize) {
  const std::string Writer = program("shm-stress-32");
  ASSERT_EQ(::access(Writer.c_str(), X_OK), 0)
      << "the compiler makes no 32-bit programs (package g++-multilib)";
  for (uint32_t Layout = OwnChoice; Layout <= 5; ++Layout) {
    auto Words = stress("stream", 8192, 4, Layout, 30000, Layout, GenerousMs);
    Words.push_back(Writer);
    Ended E = run(Words);
    if (E.Code == 77)
      GTEST_SKIP() << "this kernel runs no 32-bit programs";
    EXPECT_EQ(E.Code, 0) << E.Output;
  }
}
#endif

} // namespace
