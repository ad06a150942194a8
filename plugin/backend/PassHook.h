/// \file
/// Tells the BackendRecorder of the optimizer's passes, and of machine code.
///
/// Flow:    LLVM's PassInstrumentation, DiagnosticHandler -> [PassHook]
///          -> BackendRecorder
/// Passes:  since Clang 18 by a callback of CodeGenOptions; before, this module
///          is one more of the compile's pass plugins, and registers itself for
///          the compile of its thread. LLVM asks before each pass, and is told
///          to go on
/// Machine code: its passes tell nobody. They ask the context's handler of
///          diagnostics whether remarks are wanted, which is a sign of life;
///          and a remark that we want, and keep from the user, ends each
///          function (MachineHook.cpp)
/// Harm:    everything is passed on to the compiler's own handler, which is
///          the compiler's again when it takes it back
#pragma once

#include "plugin/recorder/Recorder.h"

#include <memory>

namespace clang {
class CompilerInstance;
} // namespace clang
namespace llvm {
class LLVMContext;
} // namespace llvm

namespace instantrace {

class BackendRecorder;

enum class BackendChoice : uint8_t { Auto, On, Off };

/// What the hooks know of a profile, which may end before LLVM does.
struct BackendTarget {
  BackendRecorder *Rec = nullptr; ///< null: nothing is recorded any more
  RecorderClient *Client = nullptr;
  bool MakesMachineCode = false;
};

/// Has LLVM tell \p Target of what it does for \p Compiler from now on. False:
/// this Clang, or this compile, has no way to be told.
bool watchPasses(clang::CompilerInstance &Compiler,
                 const std::shared_ptr<BackendTarget> &Target);

/// The same for machine code; called by the first pass.
void watchMachineCode(llvm::LLVMContext &Context,
                      const std::shared_ptr<BackendTarget> &Target);

} // namespace instantrace
