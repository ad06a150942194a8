/// \file
/// A child process that has its own copy of the compiler, in whatever state
/// that is, and shares the buffer with it.
///
/// Flow:    CrashHandler, StuckWatch -> [SnapshotChild] -> what each has it do
/// Harm:    none. A lock may be held and the stack may be at its end; so the
///          child works on a stack of its own and for a bounded time, and
///          whatever goes wrong in it ends it silently
/// Threads: the child has the calling one alone. For signal handlers: nothing
///          here allocates
#ifndef INSTANTRACE_PLUGIN_SNAPSHOTCHILD_H
#define INSTANTRACE_PLUGIN_SNAPSHOTCHILD_H

#include <unistd.h>

namespace instantrace {

/// Holds back a stack for the child, and some address space for when the
/// compiler has used up its own. Once is enough.
void reserveForSnapshots();

/// What a child does; then it ends.
struct SnapshotWork {
  void (*Run)(void *Of);
  void *Of;
};

/// \p ExitSignal: for this process when the child ends; 0: none, and only a
/// wait with __WALL knows of it. \return as fork().
pid_t startSnapshot(SnapshotWork Work, int ExitSignal, unsigned LimitSeconds);

} // namespace instantrace

#endif
