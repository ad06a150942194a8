/// \file
/// Hears of machine code, function by function.
///
/// LLVM's pipeline for it has no instrumentation. Each of its managers and
/// passes asks for remarks of "size-info" first, and where a manager asks, the
/// innermost entry of LLVM's stack for crash reports is a module's: there, the
/// work on another function begins. The pass that asks next has an entry that
/// names the function. Each function ends in a remark with the number of its
/// instructions, if somebody wants "asm-printer"; asked a second time for that,
/// right after whether passed optimizations are wanted, LLVM would count each
/// opcode, which nobody wants.

#include "plugin/ClangCompat.h"
#include "plugin/backend/BackendRecorder.h"
#include "plugin/backend/PassHook.h"
#include "plugin/memory/OutOfMemory.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace instantrace {

namespace {

using llvm::StringRef;

constexpr StringRef SizeRemarks = "size-info";
constexpr StringRef PrinterRemarks = "asm-printer";

const llvm::PrettyStackTraceEntry *innermostEntry() {
  return static_cast<const llvm::PrettyStackTraceEntry *>(
      llvm::SavePrettyStackState());
}

unsigned depthOf(const llvm::PrettyStackTraceEntry *Entry) {
  unsigned Depth = 0;
  for (; Entry; Entry = Entry->getNextEntry())
    ++Depth;
  return Depth;
}

/// Of "Running pass 'X' on function '@f'"; empty for anything else.
std::string functionOf(const llvm::PrettyStackTraceEntry &Entry) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Entry.print(OS);
  StringRef Rest = OS.str();
  constexpr StringRef Before = "on function '@";
  size_t Offset = Rest.find(Before);
  if (Offset == StringRef::npos)
    return {};
  Rest = Rest.drop_front(Offset + Before.size()).rtrim("\n");
  if (!Rest.consume_back("'"))
    return {};
  if (Rest.consume_front("\"") && Rest.consume_back("\"") &&
      Rest.find('\\') != StringRef::npos)
    return {}; // its remark tells
  return Rest.str();
}

class MachineHook final : public llvm::DiagnosticHandler {
public:
  explicit MachineHook(std::shared_ptr<BackendTarget> Target)
      : Target(std::move(Target)) {}

  /// Before anything is asked: from now on it is in the place of \p Own.
  void standBefore(std::unique_ptr<llvm::DiagnosticHandler> Own) {
    Inner = std::move(Own);
    DiagnosticContext = Inner->DiagnosticContext;
    DiagHandlerCallback = Inner->DiagHandlerCallback;
    copyHasErrors<llvm::DiagnosticHandler>(*Inner, *this);
  }

  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override {
    if (const auto *Count = instructionCount(DI)) {
      if (Target->Rec)
        guarded(*Target->Client, [&] { functionEnds(*Count); });
      if (!Inner->isAnalysisRemarkEnabled(PrinterRemarks))
        return true; // nobody but us asked
    }
    bool IsHandled = Inner->handleDiagnostics(DI);
    copyHasErrors<llvm::DiagnosticHandler>(*Inner, *this);
    return IsHandled;
  }
  bool isAnalysisRemarkEnabled(StringRef Pass) const override {
    bool IsSecondQuestion = std::exchange(WasPassedAsked, false);
    bool IsWanted = Inner->isAnalysisRemarkEnabled(Pass);
    if (Pass == SizeRemarks && Target->Rec)
      guarded(*Target->Client, [&] { sizeAsked(); });
    return IsWanted ||
           (Pass == PrinterRemarks && !IsSecondQuestion && Target->Rec);
  }
  bool isMissedOptRemarkEnabled(StringRef Pass) const override {
    return Inner->isMissedOptRemarkEnabled(Pass);
  }
  bool isPassedOptRemarkEnabled(StringRef Pass) const override {
    WasPassedAsked = Pass == PrinterRemarks;
    return Inner->isPassedOptRemarkEnabled(Pass);
  }
  bool isAnyRemarkEnabled() const override {
    return Inner->isAnyRemarkEnabled();
  }

private:
  static const llvm::DiagnosticInfoOptimizationBase *
  instructionCount(const llvm::DiagnosticInfo &DI) {
    if (DI.getKind() != llvm::DK_MachineOptimizationRemarkAnalysis)
      return nullptr;
    const auto *Remark = llvm::cast<llvm::DiagnosticInfoOptimizationBase>(&DI);
    return Remark->getPassName() == PrinterRemarks &&
                   Remark->getRemarkName() == "InstructionCount"
               ? Remark
               : nullptr;
  }

  void sizeAsked() const {
    const llvm::PrettyStackTraceEntry *Entry = innermostEntry();
    unsigned Depth = depthOf(Entry);
    BackendRecorder &Rec = *Target->Rec;
    if (!Rec.isMakingMachineCode()) {
      Rec.machineCodeBegins();
      ModuleDepth = Depth;
      return;
    }
    if (Depth == ModuleDepth + 1) {
      BeginNs = Rec.nowNs();
      IsBeginning = true;
    } else if (IsBeginning && Depth > ModuleDepth + 1) {
      IsBeginning = false;
      std::string Name = functionOf(*Entry);
      if (!Name.empty())
        Rec.machineFunction(Name, BeginNs);
    }
  }

  void functionEnds(const llvm::DiagnosticInfoOptimizationBase &Count) {
    uint64_t Instructions = 0;
    for (const auto &Argument : Count.getArgs())
      if (Argument.Key == "NumInstructions")
        StringRef(Argument.Val).getAsInteger(10, Instructions);
    Target->Rec->machineCodeMade(Count.getFunction().getName(), Instructions);
  }

  std::unique_ptr<llvm::DiagnosticHandler> Inner;
  std::shared_ptr<BackendTarget> Target;
  // LLVM asks through const.
  mutable bool WasPassedAsked = false;
  mutable bool IsBeginning = false; ///< a function whose name is not known yet
  mutable uint64_t BeginNs = 0;
  mutable unsigned ModuleDepth = 0;
};

} // namespace

void watchMachineCode(llvm::LLVMContext &Context,
                      const std::shared_ptr<BackendTarget> &Target) {
  if (!Context.getDiagHandlerPtr())
    return;
  // Made first: without memory for it, the context keeps its own.
  auto Hook = std::make_unique<MachineHook>(Target);
  Hook->standBefore(Context.getDiagnosticHandler());
  Context.setDiagnosticHandler(std::move(Hook));
}

} // namespace instantrace
