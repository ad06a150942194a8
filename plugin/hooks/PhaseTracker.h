/// \file
/// Intervals for what surrounds template work: included files and the phases
/// of the compile.
///
/// Flow:   Preprocessor, consumer notifications -> PhaseTracker -> Recorder
///
///   Frontend
///   ├─ Parsing
///   │  └─ FileInclusion (main file) ─ FileInclusion (a header) ─ …
///   ├─ PendingInstantiations   what was put off until the end
///   ├─ Profiling               Instantrace's own work: names, locations
///   └─ CodeGeneration          the main action's consumer, backend included
///
/// The parser reads one token ahead, so a declaration that ends right before an
/// #include or the end of the file is finished inside the next interval.
#pragma once

#include "plugin/recorder/Recorder.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace instantrace {

class InstantiationHook;

class PhaseTracker {
public:
  explicit PhaseTracker(Recorder &Rec) : Rec(Rec) {}

  void beginPhase(EventKind Kind);
  /// Ends \p Kind and whatever is still open inside it; nothing if it is not
  /// open.
  void endPhase(EventKind Kind);

  void enterFile(const clang::SourceManager &Sources,
                 clang::SourceLocation Start);
  void exitFile();
  /// In the order in which they were entered.
  llvm::ArrayRef<clang::FileID> enteredFiles() const { return EnteredFiles; }
  /// Template work begins that is inside no other. Once the preprocessor has
  /// left the main file it is work that was put off: Clang has no notification
  /// for the end of the main file, but no file is being lexed any more.
  void outermostWorkBegins(const clang::Preprocessor &Input);
  void endOfTranslationUnit();

  /// Watches the preprocessor of \p Compiler, which this and \p Hook must
  /// outlive. Of a preprocessed file, \p Input is what it was made of. The hook
  /// hears of each change of file first: what is not template work any more has
  /// to end before.
  void watch(clang::CompilerInstance &Compiler, InstantiationHook &Hook,
             llvm::StringRef Input);
  RecorderClient &client() const { return Rec.client(); }

private:
  struct OpenPhase {
    EventKind Kind;
    size_t Depth; ///< of the recorder before it
  };
  struct OpenFile {
    size_t Depth;
    bool IsRecorded;
  };

  void endParsing();

  Recorder &Rec;
  bool HasParsed = false;
  std::string MarkedInput; ///< empty: the main file is not preprocessed
  llvm::SmallVector<OpenPhase, 4> Phases;
  llvm::SmallVector<OpenFile, 32> Files;
  std::vector<clang::FileID> EnteredFiles; ///< line markers enter one again
  /// Keys of file entities: the map's entries stay where they are.
  llvm::StringMap<char> Paths;
};

/// The path behind a file entity's key.
llvm::StringRef filePath(const void *Key);

} // namespace instantrace
