/// \file
/// One compile being profiled: from the first phase to the finished file.
///
/// Flow:    Plugin -> Profiler -> { hook, phases -> Recorder -> events,
///          NamingPass -> packets } -> TraceBuffer -> x.itrace
/// Names:   in batches while the compile runs, so that they are in the buffer
///          when it is killed
/// Leaves:  what is recorded, to the Recorder; names, to the NamingPass
/// Errors:  one warning line; the compile is never touched
/// Threads: one per CompilerInstance
#pragma once

#include "plugin/CompileFacts.h"
#include "plugin/CrashHandler.h"
#include "plugin/NamingPass.h"
#include "plugin/Options.h"
#include "plugin/backend/BackendRecorder.h"
#include "plugin/backend/PassHook.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/LineTracker.h"
#include "plugin/hooks/PhaseTracker.h"
#include "plugin/recorder/Recorder.h"
#include "runtime/record/TraceBuffer.h"
#include "runtime/record/TraceWriter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

class Profiler final : public RecorderClient, BackendClient, CrashClient {
public:
  Profiler(clang::CompilerInstance &Compiler, llvm::StringRef InputFile,
           Options Opts);
  ~Profiler() override;

  /// Has the preprocessor tell of files, so it must live as long as that.
  void watchFiles();
  /// Of \p S, tokens and instantiations.
  void watch(clang::Sema &S);
  InstantiationHook &hook() { return *Hook; }
  LineTracker &lines() { return Lines; }
  /// The AST is whole: the names and locations that are left are resolved now,
  /// because Clang may free it before code generation.
  void translationUnitDone();
  /// Code generation is over, or there was none: the file gets its name.
  void finish();
  /// Ends the profile and warns of it; the compile goes on without. Gives
  /// memory back and takes none.
  void giveUp() noexcept override;

private:
  void writeRest();
  /// If the process has become larger since the last time.
  void sampleMemory();
  // RecorderClient
  void entityMet(const Entity &Met) override;
  void nameEntities(NamingWork Due) override;
  // BackendClient
  void nameFunctions(llvm::ArrayRef<const void *> Keys) override;
  // CrashClient
  void saveAfterCrash() override;
  void markCrashed() override;
  void stopRecording() override;
  const char *leftoverPath() const override { return Leftover.c_str(); }

  void startBuffer();
  bool hasTemplateWork() const;
  bool hasNamingWork(NamingWork Due);
  /// 0: it is in another file.
  uint32_t mainFileLine(uint32_t RawLocation);
  bool wantsBackend() const;
  /// Code generation begins.
  void startBackend();
  /// It is over.
  void finishBackend();
  /// The last chance for names, and for hits that are written nowhere else.
  void writeRemaining();
  /// Hits per entity since the last call.
  void writeHits();
  FooterInfo makeFooter();
  void reportFailure();

  clang::CompilerInstance &Compiler;
  Options Opts;
  uint64_t StartNs;
  CompileIdentity Identity;
  SessionInfo Session;
  TraceBuffer Buffer;
  TraceWriter Writer;
  Recorder Rec;
  std::optional<NamingPass> Naming; ///< none once the profile is given up
  PhaseTracker Phases;
  LineTracker Lines;
  std::unique_ptr<InstantiationHook> Hook;
  BackendRecorder Backend;
  std::shared_ptr<BackendTarget> WatchedBackend; ///< null: nobody is told
  std::string BackendState;                      ///< for the footer
  uint64_t CodeBytes = 0;                        ///< likewise
  uint64_t SampledRssBytes = 0;
  std::string Leftover;        ///< kept for leftoverPath()
  size_t ChunksAtNextHits = 4; ///< the first of 64 KiB comes then
  /// What had an id when naming was due by count.
  uint32_t CountedEntities = 0, CountedLocations = 0;
  bool HasAst = true; ///< nothing touches it afterwards: Clang frees it
  bool IsNamed = false, IsFinished = false, IsStopped = false;
  bool IsEmpty = false; ///< known when IsNamed
  unsigned Uses = 0;    ///< calls that are in the middle of names and tables
};

} // namespace instantrace
