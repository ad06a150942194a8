/// \file
/// What Clang's code synthesis contexts are in our vocabulary.
///
/// Flow:   CodeSynthesisContext -> [SynthesisKinds] -> hooks
/// Leaves: when a context begins and ends
#ifndef INSTANTRACE_PLUGIN_SYNTHESISKINDS_H
#define INSTANTRACE_PLUGIN_SYNTHESISKINDS_H

#include "plugin/ClangCompat.h"
#include "runtime/trace/EventKind.h"

namespace instantrace {

/// The one place that knows Clang's kinds; their numbers move between releases.
EventKind eventKind(clang::Sema::CodeSynthesisContext::SynthesisKind Kind);

/// Whether the entity of an instantiation has what instantiating it is to
/// make. Reads bits of the declaration itself: nothing is deserialized.
bool isDefined(const clang::Decl *Entity);

} // namespace instantrace

#endif
