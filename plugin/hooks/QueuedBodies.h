/// \file
/// Finds what Clang put off since the last look at its queue.
///
/// Flow: Sema::PendingInstantiations -> [QueuedBodies] -> Recorder
#pragma once

#include "plugin/recorder/Recorder.h"

#include "clang/Sema/Sema.h"
#include "llvm/Support/Compiler.h"

namespace instantrace {

class QueuedBodies {
public:
  /// Whatever was queued since the last call was queued by the innermost
  /// interval. New entries are at the back; entries met before end the search,
  /// also after Clang swapped the queue for another and back.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void note(const clang::Sema &S, Recorder &Rec) {
    const Queue &Now = S.PendingInstantiations;
    if (Now.begin() != Begin || Now.end() != End)
      lookThrough(Now, Rec);
  }

private:
  using Queue = decltype(clang::Sema::PendingInstantiations);

  LLVM_ATTRIBUTE_NOINLINE void lookThrough(const Queue &Now, Recorder &Rec) {
    for (auto It = Now.rbegin(); It != Now.rend(); ++It) {
      if (Rec.isQueued(It->first))
        break;
      Rec.queued(It->first);
    }
    Begin = Now.begin();
    End = Now.end();
  }

  Queue::const_iterator Begin, End; ///< at the last look
};

} // namespace instantrace
