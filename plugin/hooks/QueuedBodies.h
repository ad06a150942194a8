/// \file
/// Finds what Clang put off since the last look at its queue.
///
/// Flow: Sema::PendingInstantiations -> [QueuedBodies] -> Recorder
#ifndef INSTANTRACE_PLUGIN_HOOKS_QUEUEDBODIES_H
#define INSTANTRACE_PLUGIN_HOOKS_QUEUEDBODIES_H

#include "plugin/recorder/Recorder.h"

#include "clang/Sema/Sema.h"

namespace instantrace {

class QueuedBodies {
public:
  /// Whatever was queued since the last call was queued by the innermost
  /// interval. New entries are at the back; entries met before end the search,
  /// also after Clang swapped the queue for another and back.
  void note(const clang::Sema &S, Recorder &Rec) {
    const auto &Queue = S.PendingInstantiations;
    const void *Newest = Queue.empty() ? nullptr : Queue.back().first;
    if (Queue.size() == Size && Newest == Back)
      return;
    for (auto It = Queue.rbegin(); It != Queue.rend(); ++It) {
      if (Rec.isQueued(It->first))
        break;
      Rec.queued(It->first);
    }
    Size = Queue.size();
    Back = Newest;
  }

private:
  size_t Size = 0;
  const void *Back = nullptr;
};

} // namespace instantrace

#endif
