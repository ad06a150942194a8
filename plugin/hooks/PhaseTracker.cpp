#include "plugin/hooks/PhaseTracker.h"

#include "plugin/hooks/InstantiationHook.h"
#include "plugin/memory/OutOfMemory.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace instantrace {

namespace {

class FileWatcher final : public PPCallbacks {
public:
  FileWatcher(PhaseTracker &Tracker, InstantiationHook &Hook,
              const SourceManager &Sources)
      : Tracker(Tracker), Hook(Hook), Sources(Sources) {}

  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    Hook.moment(Notice::File);
    guarded(Tracker.client(), [&] {
      if (Reason == EnterFile)
        Tracker.enterFile(Sources, Loc);
      else if (Reason == ExitFile)
        Tracker.exitFile();
    });
  }

private:
  PhaseTracker &Tracker;
  InstantiationHook &Hook;
  const SourceManager &Sources;
};

/// The path of a file that is entered at \p Start, as diagnostics give it, and
/// where it was included.
struct EnteredFile {
  StringRef Path;
  SourceLocation IncludedAt;
};

EnteredFile enteredFile(const SourceManager &Sources, FileID File,
                        SourceLocation Start) {
  bool IsInvalid = false;
  const SrcMgr::SLocEntry &Entry = Sources.getSLocEntry(File, &IsInvalid);
  if (!IsInvalid && Entry.isFile() && !Entry.getFile().hasLineDirectives())
    if (const auto &Original = Entry.getFile().getContentCache().OrigEntry)
      return {Original->getName(), Entry.getFile().getIncludeLoc()};
  // This makes a table of all lines, which only a line marker needs.
  PresumedLoc Presumed = Sources.getPresumedLoc(Start);
  if (Presumed.isInvalid())
    return {};
  return {Presumed.getFilename(), Presumed.getIncludeLoc()};
}

} // namespace

void PhaseTracker::watch(CompilerInstance &Compiler, InstantiationHook &Hook,
                         StringRef Input) {
  // The name is in its first line marker, which is read after it is entered.
  const auto &Inputs = Compiler.getFrontendOpts().Inputs;
  if (!Inputs.empty() && Inputs.front().getKind().isPreprocessed())
    MarkedInput = Input.str();
  Compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<FileWatcher>(*this, Hook, Compiler.getSourceManager()));
}

void PhaseTracker::beginPhase(EventKind Kind) {
  Phases.push_back({Kind, Rec.depth()});
  if (Rec.wants(Kind))
    Rec.begin(Kind);
}

void PhaseTracker::endPhase(EventKind Kind) {
  bool IsOpen = llvm::any_of(
      Phases, [Kind](const OpenPhase &P) { return P.Kind == Kind; });
  while (IsOpen) {
    OpenPhase Phase = Phases.pop_back_val();
    Rec.endDownTo(Phase.Depth);
    if (Phase.Kind == Kind)
      return;
  }
}

void PhaseTracker::enterFile(const SourceManager &Sources,
                             SourceLocation Start) {
  bool IsMain = !HasParsed;
  if (IsMain)
    beginPhase(EventKind::Parsing);
  HasParsed = true;
  FileID File = Sources.getFileID(Start);
  EnteredFiles.push_back(File);
  auto [Path, IncludedAt] = enteredFile(Sources, File, Start);
  if (IsMain && !MarkedInput.empty())
    Path = MarkedInput;
  // <built-in>, <command line>, <scratch space>
  bool IsRecorded = !Path.empty() && Path.front() != '<' &&
                    Rec.wants(EventKind::FileInclusion);
  Files.push_back({Rec.depth(), IsRecorded});
  if (!IsRecorded)
    return;
  auto &Entry = *Paths.try_emplace(Path, 0).first;
  Rec.beginFile(&Entry, IncludedAt.getRawEncoding());
}

void PhaseTracker::exitFile() {
  if (Files.empty())
    return;
  OpenFile File = Files.pop_back_val();
  Rec.interruptLine();
  // Template work never spans the end of a file; were it to, its own end must
  // still find its begin, so the file then closes with its parent.
  if (File.IsRecorded && Rec.depth() == File.Depth + 1)
    Rec.end();
}

void PhaseTracker::outermostWorkBegins(const Preprocessor &Input) {
  if (Phases.empty() || Phases.back().Kind != EventKind::Parsing ||
      Input.getCurrentFileLexer())
    return;
  endParsing();
}

void PhaseTracker::endParsing() {
  Files.clear();
  Rec.interruptLine();
  Rec.stopLines();
  endPhase(EventKind::Parsing);
  beginPhase(EventKind::PendingInstantiations);
}

void PhaseTracker::endOfTranslationUnit() {
  if (!Phases.empty() && Phases.back().Kind == EventKind::Parsing)
    endParsing();
  endPhase(EventKind::PendingInstantiations);
}

llvm::StringRef filePath(const void *Key) {
  return static_cast<const llvm::StringMapEntry<char> *>(Key)->getKey();
}

} // namespace instantrace
