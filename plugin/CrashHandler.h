/// \file
/// Saves what a compile still owes to its buffer when the compiler crashes, and
/// says where the profile is.
///
/// Flow:    LLVM's crash signal handling -> [CrashHandler] -> Profiler
/// Harm:    none. The compiler's memory may be in any state, a lock may be held
///          and the stack may be at its end; so the work is done by a child
///          process that has its own copy of the compiler, shares the buffer
///          with it, works on a stack of its own and for a bounded time, and
///          ends silently whatever goes wrong in it. The compiler waits for it,
///          and goes on dying as if nothing had been
/// Limits:  SIGKILL, SIGINT and SIGTERM run none of this
/// Threads: a crash saves the compiles of its own thread, since those of other
///          threads go on (implicit modules are built on threads); of a thread
///          that has none, such as Clang's second one, the only one that there
///          is
#pragma once

namespace instantrace {

/// A compile that can be interrupted.
class CrashClient {
public:
  CrashClient() = default;
  virtual ~CrashClient();
  CrashClient(const CrashClient &) = delete;
  CrashClient &operator=(const CrashClient &) = delete;

  /// Called in the child.
  virtual void saveAfterCrash() = 0;
  /// Called in the compiler, before; nothing that allocates.
  virtual void markCrashed() = 0;
  /// What `instantrace recover` needs; empty: nothing is left. Called in the
  /// compiler, after; nothing that allocates.
  virtual const char *leftoverPath() const = 0;

  /// Called in the compiler after that, for a compiler that lives on all the
  /// same: some signals that others sent are only noted by Clang 14. The child
  /// has written to the buffer what this process knows nothing of, so nothing
  /// may be recorded any more.
  virtual void stopRecording() = 0;

  /// From now on, while it lives or until withdraw(), a crash of this thread
  /// reaches it. Requires: all of it is there, which is not so in its
  /// constructor.
  void enlist();
  void withdraw();
};

} // namespace instantrace
