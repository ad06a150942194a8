#include "plugin/hooks/Detour.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace instantrace;

#if defined(__x86_64__) && !defined(__ILP32__)

// As compilers begin functions: pushes; a test and a jump; and a call, which no
// detour can be written over.
asm(R"(
    .text
    .globl detoured_push, detoured_test, detoured_call
    .p2align 4
  detoured_push:
    endbr64
    push %rbx
    push %r12
    sub $8, %rsp
    lea 1(%rdi), %rax
    add $8, %rsp
    pop %r12
    pop %rbx
    ret
    .size detoured_push, . - detoured_push
    .p2align 4
  detoured_test:
    cmpb $0, 8(%rdi)
    jne 1f
    mov $10, %eax
    ret
  1:
    mov $20, %eax
    ret
    .size detoured_test, . - detoured_test
    .p2align 4
  detoured_call:
    call detoured_push
    ret
    .size detoured_call, . - detoured_call
)");
extern "C" {
long detoured_push(long);
long detoured_test(const char *);
long detoured_call(long);
}

namespace {

Detour PushDetour, TestDetour;

long pushFirst(long Value) {
  return 100 + reinterpret_cast<long (*)(long)>(PushDetour.Original)(Value);
}
long testFirst(const char *Text) {
  return 100 +
         reinterpret_cast<long (*)(const char *)>(TestDetour.Original)(Text);
}

template <class Function, class Replacement>
Detour detourOf(Function *F, Replacement *R) {
  Detour D;
  D.Function = reinterpret_cast<void *>(F);
  D.SizeBytes = 20;
  D.Replacement = reinterpret_cast<void *>(R);
  return D;
}

std::string make(std::initializer_list<Detour *> Wanted) {
  std::vector<Detour> All;
  for (Detour *D : Wanted)
    All.push_back(*D);
  std::string Why = makeDetours(All.data(), All.size());
  for (size_t I = 0; I != All.size(); ++I)
    *Wanted.begin()[I] = All[I];
  return Why;
}

/// A detour stays, so each test has a process of its own. What it says that is
/// wrong; empty: all is well.
template <class Work> std::string inProcess(Work W) {
  int Pipe[2];
  if (::pipe(Pipe) != 0)
    return "no pipe";
  const pid_t Child = ::fork();
  if (Child == 0) {
    PushDetour = detourOf(&detoured_push, &pushFirst);
    TestDetour = detourOf(&detoured_test, &testFirst);
    const std::string Wrong = W();
    const bool IsSaid =
        ::write(Pipe[1], Wrong.data(), Wrong.size()) >= 0 && Wrong.empty();
    ::_exit(IsSaid ? 0 : 1);
  }
  ::close(Pipe[1]);
  std::string Said(200, 0);
  const ssize_t Size = ::read(Pipe[0], Said.data(), Said.size());
  ::close(Pipe[0]);
  Said.resize(Size > 0 ? static_cast<size_t>(Size) : 0);
  int Status = 0;
  ::waitpid(Child, &Status, 0);
  if (WIFSIGNALED(Status))
    return "signal " + std::to_string(WTERMSIG(Status));
  return Said;
}

std::string results() {
  return std::to_string(detoured_push(1)) + " " +
         std::to_string(detoured_test("a short text")) + " " +
         std::to_string(detoured_test("12345678\0"));
}

TEST(Detour, CallsGoToTheReplacementWhichCallsTheOriginal) {
  ASSERT_EQ(results(), "2 20 10");
  EXPECT_EQ(inProcess([] {
              std::string Why = make({&PushDetour, &TestDetour});
              return Why.empty() ? results() : Why;
            }),
            "102 120 110");
}

TEST(Detour, OneThatCannotBeMadeLeavesTheOthersAsTheyAre) {
  EXPECT_EQ(inProcess([] {
              Detour Call = detourOf(&detoured_call, &pushFirst);
              return make({&PushDetour, &Call, &TestDetour}) + "; " + results();
            }),
            "the code begins in a way that is not known; 2 20 10");
}

TEST(Detour, SecondThreadIsARefusal) {
  EXPECT_EQ(inProcess([] {
              std::thread Second([] { ::pause(); });
              Second.detach();
              return make({&PushDetour, &TestDetour}) + "; " + results();
            }),
            "the compiler has a second thread; 2 20 10");
}

} // namespace

#endif
