#include "plugin/backend/PassHook.h"

#include "plugin/ClangCompat.h"
#include "plugin/backend/BackendRecorder.h"
#include "plugin/memory/OutOfMemory.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#if !INSTANTRACE_HAS_PASS_BUILDER_CALLBACKS
#include "llvm/Passes/PassPlugin.h"
#include <dlfcn.h>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#endif

using namespace clang;

namespace instantrace {

namespace {

/// What a pass works on; both null: nothing that is known here.
struct PassSubject {
  const llvm::Function *F = nullptr;
  const llvm::Module *M = nullptr;
};

#if INSTANTRACE_HAS_IR_UNIT_REF
using IrUnit = llvm::IRUnitRef;
template <class T> const T *as(IrUnit Unit) { return llvm::dyn_cast<T>(Unit); }
#else
using IrUnit = const llvm::Any &;
template <class T> const T *as(IrUnit Unit) {
  const T *const *Held = llvm::any_cast<const T *>(&Unit);
  return Held ? *Held : nullptr;
}
#endif

PassSubject subjectOf(IrUnit Unit) {
  if (const auto *F = as<llvm::Function>(Unit))
    return {F, nullptr};
  if (const auto *L = as<llvm::Loop>(Unit))
    return {L->getHeader()->getParent(), nullptr};
  if (const auto *M = as<llvm::Module>(Unit))
    return {nullptr, M};
  // The inliner's work, too, is for who calls.
  if (const auto *C = as<llvm::LazyCallGraph::SCC>(Unit))
    if (C->size() != 0)
      return {&C->begin()->getFunction(), nullptr};
  return {};
}

class PassWatcher {
public:
  explicit PassWatcher(std::shared_ptr<BackendTarget> Target)
      : Target(std::move(Target)) {}

  void operator()(llvm::StringRef Pass, IrUnit Unit) {
    if (Target->Rec)
      guarded(*Target->Client, [&] { passBegins(Pass, subjectOf(Unit)); });
  }

private:
  void passBegins(llvm::StringRef Pass, PassSubject Subject) {
    BackendRecorder &Rec = *Target->Rec;
    if (Rec.isMakingMachineCode())
      return; // of a pipeline that we do not know
    const llvm::Module *M = Subject.F ? Subject.F->getParent() : Subject.M;
    if (!HasBegun && M) {
      HasBegun = true;
      Rec.moduleGiven(*M);
      if (Target->MakesMachineCode)
        watchMachineCode(M->getContext(), Target);
    }
    if (Subject.F)
      Rec.functionPass(*Subject.F, Pass);
    else if (Subject.M)
      Rec.modulePass(Pass);
  }

  std::shared_ptr<BackendTarget> Target;
  bool HasBegun = false;
};

/// Without memory for it, nothing is recorded.
void registerWatcher(llvm::PassBuilder &Builder,
                     const std::shared_ptr<BackendTarget> &Target) noexcept {
  try {
    if (llvm::PassInstrumentationCallbacks *Callbacks =
            Builder.getPassInstrumentationCallbacks())
      Callbacks->registerBeforeNonSkippedPassCallback(
          [Watcher = PassWatcher(Target)](llvm::StringRef Pass,
                                          IrUnit Unit) mutable {
            Watcher(Pass, Unit);
          });
  } catch (...) {
    Target->Rec = nullptr;
  }
}

#if !INSTANTRACE_HAS_PASS_BUILDER_CALLBACKS

/// Of the compiles whose optimizers are set up next, by their threads. Not by
/// thread-local storage, which ends the process when there is no memory.
struct NextTargets {
  std::mutex Mutex;
  std::vector<std::pair<std::thread::id, std::shared_ptr<BackendTarget>>> All;

  void put(const std::shared_ptr<BackendTarget> &Target) {
    std::lock_guard<std::mutex> Lock(Mutex);
    All.emplace_back(std::this_thread::get_id(), Target);
  }
  /// The last of this thread; null when there is none.
  std::shared_ptr<BackendTarget> take() {
    std::lock_guard<std::mutex> Lock(Mutex);
    std::shared_ptr<BackendTarget> Taken;
    for (const auto &[Thread, Target] : All)
      if (Thread == std::this_thread::get_id())
        Taken = Target;
    llvm::erase_if(All, [](const auto &Known) {
      return Known.first == std::this_thread::get_id();
    });
    return Taken;
  }
};

NextTargets &nextTargets() {
  static NextTargets Instance;
  return Instance;
}

void registerNext(llvm::PassBuilder &Builder) {
  if (std::shared_ptr<BackendTarget> Target = nextTargets().take())
    registerWatcher(Builder, Target);
}

/// The path by which this module was loaded; empty if it would not be found
/// again by it, which Clang would report as an error.
std::string ownPath() {
  Dl_info Info;
  if (::dladdr(reinterpret_cast<const void *>(&registerNext), &Info) == 0 ||
      !Info.dli_fname)
    return {};
  void *Again = ::dlopen(Info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!Again)
    return {};
  ::dlclose(Again); // one reference less
  return Info.dli_fname;
}

#endif

} // namespace

#if INSTANTRACE_HAS_PASS_BUILDER_CALLBACKS

bool watchPasses(CompilerInstance &Compiler,
                 const std::shared_ptr<BackendTarget> &Target) {
  Compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(
      [Target](llvm::PassBuilder &Builder) {
        registerWatcher(Builder, Target);
      });
  return true;
}

#else

bool watchPasses(CompilerInstance &Compiler,
                 const std::shared_ptr<BackendTarget> &Target) {
  if (usesLegacyPasses(Compiler.getCodeGenOpts()))
    return false;
  std::string Path = ownPath();
  if (Path.empty())
    return false;
  std::vector<std::string> &Plugins = Compiler.getCodeGenOpts().PassPlugins;
  if (!llvm::is_contained(Plugins, Path))
    Plugins.push_back(Path);
  nextTargets().put(Target);
  return true;
}

#endif

} // namespace instantrace

#if !INSTANTRACE_HAS_PASS_BUILDER_CALLBACKS
/// What LLVM looks for in a pass plugin.
extern "C" [[gnu::visibility("default")]] llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "instantrace", INSTANTRACE_VERSION,
          instantrace::registerNext};
}
#endif
