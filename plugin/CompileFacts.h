/// \file
/// What a trace says about its compile: which one it is, how it was asked for,
/// and how it ended.
///
/// Flow:   CompilerInstance, process -> [CompileFacts] -> OutputName, Profiler
/// Leaves: counts and times of events to the Recorder
#pragma once

#include "plugin/Options.h"
#include "plugin/OutputName.h"
#include "runtime/record/TraceWriter.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace instantrace {

CompileIdentity identify(const clang::CompilerInstance &Compiler,
                         llvm::StringRef Input);

/// Differs between compiles of one build, also when a pid is used again.
/// \p StartNs: CLOCK_MONOTONIC.
uint32_t makeSequenceId(const CompileIdentity &Compile, uint64_t StartNs);

/// \p StartNs as for makeSequenceId(). Hook and buffer are not known yet.
SessionInfo describeSession(clang::CompilerInstance &Compiler,
                            const CompileIdentity &Compile, const Options &Opts,
                            uint64_t StartNs);

/// The most memory that this process has used so far; 0: not known. Makes a
/// system call.
uint64_t peakRssBytes();

/// As the compile ends: its state, its resources, and the modules that were
/// loaded since \p Session was described. Nothing of events.
FooterInfo describeEnd(clang::CompilerInstance &Compiler,
                       const SessionInfo &Session);

} // namespace instantrace
