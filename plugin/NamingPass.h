/// \file
/// Writes what the ids in events stand for: names, locations, inclusions.
///
/// Flow:    EntityTable, LocationTable -> [NamingPass { NameBuilder,
///          LocationResolver }] -> StringTable -> TraceWriter
/// Leaves:  when, to the Recorder while the compile runs, and to the Profiler
///          at its end
/// Errors:  what the trace does not take is written by the next run
/// Harm:    reads the AST and the source manager alone, and has them say
///          nothing to the user
#pragma once

#include "plugin/memory/SteadyMap.h"
#include "plugin/recorder/EntityTable.h"
#include "plugin/recorder/LocationTable.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace instantrace {

class LocationResolver;
class NameBuilder;
class NameCheck;
struct Options;

class NamingPass {
public:
  /// \p Subject: what the trace as a whole is called. The rest must outlive the
  /// object.
  NamingPass(clang::CompilerInstance &Compiler, const Options &Opts,
             std::string Subject, const EntityTable &Entities,
             const LocationTable &Locations, TraceWriter &Writer);
  ~NamingPass();

  /// Whether something has an id and is not written.
  bool hasWork() const {
    return Written.Entities != Entities.idCount() ||
           Written.Locations != Locations.size();
  }
  /// Writes what has got an id since the last run, with the strings it needs.
  void run();
  /// Names those of \p Ids that have no row yet, and writes the dictionary and
  /// all places: \p Take gets each name once. Rows are written by run(), at a
  /// moment that is the same each time, and this changes nothing of what they
  /// say: what Clang calls some entities depends on the moment.
  void runEarly(llvm::ArrayRef<uint32_t> Ids,
                llvm::function_ref<void(uint32_t, const EntityRow &)> Take);
  /// The same for the places of events alone.
  void runLocations();
  /// \p Entered are all files: runs from now on include those that no location
  /// is in. They must stay as long as there are runs.
  void allFilesEntered(llvm::ArrayRef<clang::FileID> Entered) {
    EnteredFiles = Entered;
  }
  /// No declaration is named from now on.
  void forgetDeclarations();
  /// With check-names=FILE: writes the comparison of all names to FILE.
  void writeCheck();

private:
  void prepare();
  /// Of PCHs and modules loaded since the last call. Requires: prepare().
  void checkInputs();
  /// \p Places of all events' locations that are not written. False: the trace
  /// does not take all of them yet.
  bool writeLocations(const LocationRows &Places);
  /// \p Early: null, or what names it, and nothing else changes.
  EntityRow describe(const Entity &E, StringId &Name,
                     NameBuilder *Early = nullptr);
  /// Those of all entities that are not written.
  std::vector<EntityRow> describeEntities();
  /// For the check: maps the ids of the entities that are not written yet to
  /// their names. In a trace their rows say it.
  void mapNames(llvm::ArrayRef<StringId> NamesInOrder);
  uint32_t declarationLocation(clang::SourceLocation Location);

  clang::CompilerInstance &Compiler;
  const Options &Opts;
  const std::string Subject;
  const EntityTable &Entities;
  const LocationTable &Locations; ///< of events
  TraceWriter &Writer;

  /// An entity's id in the events is its virtual id here: events have it while
  /// the name is not built yet, and its row says later what it stands for.
  StringTable Strings;
  LocationTable Declarations;
  // Made by the first run: most compiles of C sources have none.
  std::unique_ptr<NameBuilder> Names;
  /// Of what was parsed. A name in an inline namespace depends on what is
  /// declared until it is made, so each remembers its own scopes.
  std::unique_ptr<NameBuilder> ParsedNames;
  /// Likewise of what is named early, and once more by run().
  std::unique_ptr<NameBuilder> EarlyNames;
  SteadySet<uint32_t> EarlyIds; ///< since the last run()
  std::unique_ptr<LocationResolver> Resolver;
  std::unique_ptr<NameCheck> Check; ///< with check-names alone

  /// How many of each, from the first.
  struct {
    uint32_t Entities = 0, Locations = 0, Declarations = 0, Inclusions = 0;
  } Written;
  uint32_t MappedEntities = 0; ///< at least those written
  unsigned CheckedModules = 0;
  llvm::ArrayRef<clang::FileID> EnteredFiles; ///< none until all are known
};

} // namespace instantrace
