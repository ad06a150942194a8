/// \file
/// One compile being profiled: from the first phase to the finished file.
///
/// Flow:    Plugin -> Profiler -> { hook, phases -> Recorder -> ChunkWriter,
///          NameBuilder -> StringTable } -> TraceWriter -> TraceFile
/// Errors:  one warning line; the compile is never touched
/// Threads: one per CompilerInstance
#ifndef INSTANTRACE_PLUGIN_PROFILER_H
#define INSTANTRACE_PLUGIN_PROFILER_H

#include "plugin/InstantiationHook.h"
#include "plugin/Options.h"
#include "plugin/OutputName.h"
#include "plugin/PhaseTracker.h"
#include "plugin/Recorder.h"
#include "runtime/trace/TraceFile.h"
#include "runtime/trace/TraceWriter.h"

#include <memory>

namespace instantrace {

class NameBuilder;

class Profiler {
public:
  Profiler(clang::CompilerInstance &Compiler, llvm::StringRef InputFile,
           Options Opts);
  ~Profiler();

  void installHook(clang::Sema &S);
  void topLevelDeclDone() { Hook->topLevelDeclDone(); }
  /// The AST is whole: names and locations are resolved now, because code
  /// generation comes next and nothing new will want a name.
  void translationUnitDone();
  /// Code generation is over, or there was none: the file gets its name.
  void finish();

private:
  static void drain(void *Self, const uint8_t *Data, size_t SizeBytes);
  SessionInfo makeSession(const CompileIdentity &Compile);
  bool hasTemplateWork() const;
  void writeHeader(); ///< unless it is written
  void writeNames();
  void checkNames(NameBuilder &Names);
  std::vector<LocationRow> resolveLocations(uint32_t FirstId);
  FooterInfo makeFooter();

  clang::CompilerInstance &Compiler;
  Options Opts;
  uint64_t StartNs;
  CompileIdentity Identity;
  TraceFile File;
  TraceWriter Writer;
  ChunkWriter Chunks;
  Recorder Rec;
  PhaseTracker Phases;
  std::unique_ptr<InstantiationHook> Hook;
  StringTable Strings;
  SessionInfo Session;
  bool IsHeaderWritten = false;
  bool IsNamed = false, IsFinished = false;
  bool IsEmpty = false; ///< known when IsNamed
};

} // namespace instantrace

#endif
