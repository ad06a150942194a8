/// \file
/// One compile being profiled: from the first phase to the finished file.
///
/// Flow:    Plugin -> Profiler -> { hook, phases -> Recorder -> events,
///          NameBuilder -> StringTable -> TraceWriter -> packets }
///          -> TraceBuffer -> x.itrace
/// Names:   in batches while the compile runs, so that they are in the buffer
///          when it is killed
/// Errors:  one warning line; the compile is never touched
/// Threads: one per CompilerInstance
#ifndef INSTANTRACE_PLUGIN_PROFILER_H
#define INSTANTRACE_PLUGIN_PROFILER_H

#include "plugin/CrashHandler.h"
#include "plugin/Options.h"
#include "plugin/OutputName.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/PhaseTracker.h"
#include "plugin/recorder/Recorder.h"
#include "runtime/record/TraceBuffer.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace instantrace {

class LocationResolver;
class NameBuilder;
class NameCheck;

class Profiler final : RecorderClient, CrashClient {
public:
  Profiler(clang::CompilerInstance &Compiler, llvm::StringRef InputFile,
           Options Opts);
  ~Profiler() override;

  InstantiationHook &hook() { return *Hook; }
  /// The AST is whole: the names and locations that are left are resolved now,
  /// because code generation comes next and nothing new will want a name.
  void translationUnitDone();
  /// Code generation is over, or there was none: the file gets its name.
  void finish();

private:
  // RecorderClient
  void entityMet(const void *Key, uint32_t Id, bool IsFile) override;
  void nameEntities() override;
  // CrashClient
  void saveAfterCrash() override;
  void markCrashed() override;
  void stopRecording() override;
  const char *leftoverPath() const override { return Leftover.c_str(); }

  SessionInfo makeSession(const CompileIdentity &Compile);
  bool hasTemplateWork() const;
  /// Writes the entities and locations that were met since the last call, with
  /// the strings they need.
  void writeNewNames();
  EntityRow describe(const EntitySlot &Slot, StringId &Name);
  /// Maps the ids of the entities that are not written yet to their names.
  void mapNames(llvm::ArrayRef<StringId> NamesInOrder);
  uint32_t declarationLocation(clang::SourceLocation Location);
  /// Hits per entity since the last call.
  void writeHits();
  void checkNames();
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
  PhaseTracker Phases;
  std::unique_ptr<InstantiationHook> Hook;
  /// An entity's id in the events is its virtual id here: events have it while
  /// the name is not built yet, and mapNames says later what it stands for.
  StringTable Strings;
  std::unique_ptr<NameBuilder> Names;          ///< made with the first name
  std::unique_ptr<LocationResolver> Locations; ///< likewise
  std::unique_ptr<NameCheck> Check;            ///< with check-names alone
  std::string Leftover;                        ///< kept for leftoverPath()

  // How much of the recorder's tables is written.
  size_t EntitiesWritten = 0, LocationsWritten = 0;
  size_t EntitiesMapped = 0;                  ///< at least those written
  std::vector<uint32_t> DeclarationLocations; ///< raw encodings; id i + 1
  size_t DeclarationLocationsWritten = 0, InclusionsWritten = 0;
  llvm::DenseMap<uint32_t, uint32_t> DeclarationLocationIds;
  uint32_t ChunksAtNextHits = 4;

  bool IsNamed = false, IsFinished = false, IsStopped = false;
  bool IsEmpty = false; ///< known when IsNamed
};

} // namespace instantrace

#endif
