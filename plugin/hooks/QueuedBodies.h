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
    if (Queue.begin() == Begin && Queue.end() == End)
      return;
    for (auto It = Queue.rbegin(); It != Queue.rend(); ++It) {
      if (Rec.isQueued(It->first))
        break;
      Rec.queued(It->first);
    }
    Begin = Queue.begin();
    End = Queue.end();
  }

private:
  using Queue = decltype(clang::Sema::PendingInstantiations);
  Queue::const_iterator Begin, End; ///< at the last look
};

} // namespace instantrace

#endif
