/// \file
/// What Clang's code synthesis contexts are in our vocabulary.
///
/// Flow:   CodeSynthesisContext -> [SynthesisKinds] -> hooks
/// Leaves: when a context begins and ends
#pragma once

#include "plugin/ClangCompat.h"
#include "plugin/recorder/Recorder.h"
#include "runtime/format/EventKind.h"

#include "clang/AST/Decl.h"

namespace instantrace {

/// The one place that knows Clang's kinds; their numbers move between releases.
EventKind eventKind(clang::Sema::CodeSynthesisContext::SynthesisKind Kind);

/// Whether TemplateInstantiationCallback tells of contexts of this kind. Clang
/// enters the others where no template need be involved, and nobody who counts
/// is to see more with one hook than with the other.
bool isTemplateContext(EventKind Kind);

/// Whether instantiating \p Entity, which may be null, makes a definition.
bool isDefinable(const clang::Decl *Entity);
/// Whether the entity of an instantiation has what instantiating it is to
/// make. Reads bits of the declaration itself: nothing is deserialized.
bool isDefined(const clang::Decl *Entity);
/// \p Entity, which may be null, as work of this kind about it begins.
inline EntityState stateBefore(EventKind Kind, const clang::Decl *Entity) {
  if (Kind != EventKind::TemplateInstantiation || !Entity || isDefined(Entity))
    return EntityState::Defined;
  return llvm::isa<clang::TagDecl>(Entity) ? EntityState::DeclaredClass
                                           : EntityState::Declared;
}

} // namespace instantrace
