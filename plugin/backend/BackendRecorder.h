/// \file
/// What LLVM does for which function: intervals inside CodeGeneration, and a
/// row for each function.
///
/// Flow:    PassHook, MachineHook -> [BackendRecorder] -> Recorder, TraceWriter
/// Leaves:  names to FunctionNames; when LLVM is at work, to the hooks; sizes
///          in the object, to ObjectSizes
/// Cost:    an interval goes on while its function stays the same, so most
///          calls are a comparison
/// Threads: one
#pragma once

#include "plugin/backend/FunctionNames.h"
#include "plugin/recorder/Recorder.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/shm/BufferHeader.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace instantrace {

/// What a recorder of the backend needs done that concerns the whole trace.
class BackendClient {
public:
  virtual ~BackendClient() = default;
  /// Gives ids to \p Keys, which have none, and writes their names, and those
  /// of functions that events gave an id.
  virtual void nameFunctions(llvm::ArrayRef<const void *> Keys) = 0;
};

class BackendRecorder {
public:
  /// All must outlive the object.
  BackendRecorder(Recorder &Rec, TraceWriter &Writer, LiveState &Live,
                  BackendClient &Client)
      : Rec(Rec), Writer(Writer), Live(Live), Client(Client) {}

  /// Before Clang may free the AST.
  void learnNames(clang::ASTContext &Context, bool HasBothForms) {
    Names.learn(Context, Rec.entities(), HasBothForms);
  }
  uint32_t namesNotLearned() const { return Names.notLearned(); }

  // Of the optimizer. \p Pass is the name of a pass that begins, in memory that
  // stays.

  /// Before anything else: all of the functions that LLVM was given.
  void moduleGiven(const llvm::Module &M);
  void functionPass(const llvm::Function &F, llvm::StringRef Pass);
  void modulePass(llvm::StringRef Pass);

  // Of making machine code.

  bool isMakingMachineCode() const { return Is == State::Machine; }
  void machineCodeBegins();
  uint64_t nowNs() { return Rec.nowNs(); }
  /// What was done since \p SinceNs is for the function.
  void machineFunction(llvm::StringRef LinkageName, uint64_t SinceNs);
  /// The innermost function's code is made.
  void machineCodeMade(llvm::StringRef LinkageName, uint64_t Instructions);

  /// LLVM is done.
  void finish();

  /// Of the functions that were seen, once LLVM is done.
  void objectSizes(const std::vector<std::pair<uint64_t, uint64_t>> &ByHash);

  bool hasFunctions() const { return !Functions.empty(); }
  bool hasMachineFunctions() const { return MachineFunctions != 0; }

private:
  enum class State : uint8_t { Idle, Optimizing, Machine };

  struct Seen {
    const void *Key = nullptr; ///< of the entity that pays
    EntityOrigin Origin = EntityOrigin::Declaration;
  };

  /// A function's name, by where it is and how it ends: another function may
  /// come to be where one was.
  struct NamePlace {
    const char *Data = nullptr;
    size_t SizeBytes = 0;
    uint64_t Tail = 0;
    uint32_t Index = 0;
  };

  /// As indexOf(); names may be long, so what was looked up is remembered.
  uint32_t indexOf(const llvm::Function &F);
  /// Index of a function; a new one when it is met first.
  uint32_t indexOf(llvm::StringRef LinkageName, const llvm::Function *F);
  void notePass(llvm::StringRef Pass);
  /// Ends what is open, and begins an interval.
  void switchTo(EventKind Kind, const Seen *S, uint64_t TimeNs);
  void endInterval(uint64_t TimeNs);
  /// Naming records intervals of its own after a time was taken.
  uint64_t notBeforeLast(uint64_t TimeNs) const {
    return std::max(TimeNs, Rec.lastTimeNs());
  }
  /// Writes what is known of functions and not written.
  void writeRows();
  void writeSizes();

  Recorder &Rec;
  TraceWriter &Writer;
  LiveState &Live;
  BackendClient &Client;
  FunctionNames Names;

  State Is = State::Idle;
  bool IsOpen = false;                     ///< an interval of ours
  const llvm::Function *Current = nullptr; ///< that is optimized; null: none
  uint32_t CurrentMachine = UINT32_MAX;    ///< index; UINT32_MAX: none
  uint64_t MadeNs = 0; ///< when the code of CurrentMachine was made; 0: not
  const char *LastPass = nullptr;

  std::vector<Seen> Functions; ///< in the order of their ids
  SteadyMap<uint64_t, uint32_t> IndexByHash;
  SteadyMap<const void *, NamePlace> Places; ///< by llvm::Function
  std::vector<FunctionRow> Rows;             ///< as Functions
  uint32_t RowsWritten = 0;
  std::vector<FunctionSizeRow> Made; ///< not written yet
  uint32_t MachineFunctions = 0;
  /// Keys of the entities that are made for functions: nodes stay.
  std::unordered_set<std::string> Texts;
};

/// The key of an entity that is made for a function. One byte into its name:
/// the AST may be gone by now and the name be where a declaration was, whose
/// address is a key as well.
inline const void *functionKey(const std::string &Name) {
  return reinterpret_cast<const char *>(&Name) + 1;
}

/// The name behind such a key.
inline const std::string &functionName(const void *Key) {
  return *reinterpret_cast<const std::string *>(static_cast<const char *>(Key) -
                                                1);
}

} // namespace instantrace
