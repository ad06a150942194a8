#include "plugin/hooks/Probes.h"

#include "plugin/ClangCompat.h"
#include "plugin/hooks/Detour.h"
#include "plugin/hooks/Observer.h"

#include "clang/Basic/Version.h"
#include "clang/Sema/Sema.h"

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

using namespace clang;

// Clang's own stack grows in a push, and where there is no memory for that, it
// is not us who must be on the stack (plugin/memory/OutOfMemory.h). So the
// observer hears of the push first, and then the push is jumped to: its
// argument lies behind the return address.
extern "C" {
[[gnu::visibility("hidden")]] void *instantrace_original_push;
[[gnu::visibility("hidden")]] void
instantracePushing(Sema *S, const Sema::CodeSynthesisContext *Entry);
[[gnu::visibility("hidden")]] void instantracePushProbed();
}
#if defined(__x86_64__)
asm(R"(
    .pushsection .text
    .p2align 4
    .hidden instantracePushProbed
    .globl instantracePushProbed
    .type instantracePushProbed, @function
  instantracePushProbed:
    .cfi_startproc
    push %rdi
    .cfi_adjust_cfa_offset 8
    lea 16(%rsp), %rsi
    call instantracePushing
    pop %rdi
    .cfi_adjust_cfa_offset -8
    jmp *instantrace_original_push(%rip)
    .cfi_endproc
    .size instantracePushProbed, . - instantracePushProbed
    .popsection
)");
#else
void instantracePushProbed() {} // makeDetours() refuses
#endif

namespace instantrace {

namespace {

/// Who hears of which Sema. A Sema that nobody watches is in none: its pushes
/// cost a look at as many places as were ever used.
struct Listening {
  std::atomic<const Sema *> Watched{nullptr};
  std::atomic<Observer *> Listener{nullptr}; ///< null: free
};
Listening Places[16];
std::atomic<size_t> UsedPlaces{0};

template <class Call> void tell(const Sema *S, Call C) {
  // Acquire: pairs with the release in startProbing(), on another thread for
  // other Semas alone.
  const size_t Used = UsedPlaces.load(std::memory_order_acquire);
  for (size_t I = 0; I != Used; ++I)
    if (Places[I].Watched.load(std::memory_order_acquire) == S)
      C(*Places[I].Listener.load(std::memory_order_relaxed));
}

// The originals are called while a detour is there, and so are kept whatever
// armProbes() says.
enum : size_t { Push, Pop, Clear, FunctionCount };
Detour Detours[FunctionCount];

template <class Function> Function *original(size_t Which) {
  return reinterpret_cast<Function *>(Detours[Which].Original);
}

void popProbed(Sema *S) {
  tell(S, [](Observer &Obs) { Obs.popping(); });
  original<void(Sema *)>(Pop)(S);
}

/// Some builds of Clang have the pop inlined here.
void clearProbed(Sema::InstantiatingTemplate *Work) noexcept {
  // Its first member. Were it another, it would be no Sema that is watched.
  const Sema *S;
  std::memcpy(static_cast<void *>(&S), static_cast<const void *>(Work),
              sizeof(const Sema *));
  original<void(Sema::InstantiatingTemplate *)>(Clear)(Work);
  tell(S, [](Observer &Obs) { Obs.popped(); });
}

/// The code of a function that \p Image exports.
bool findFunction(const char *Name, const void *Image, Detour &D) {
  D.Function = ::dlsym(RTLD_DEFAULT, Name);
  Dl_info Info;
  ElfW(Sym) *Symbol = nullptr; // which nobody changes
  if (!D.Function ||
      ::dladdr1(D.Function, &Info, reinterpret_cast<void **>(&Symbol),
                RTLD_DL_SYMENT) == 0 ||
      !Symbol || Info.dli_saddr != D.Function || Info.dli_fbase != Image)
    return false;
  D.SizeBytes = Symbol->st_size;
  return true;
}

/// Where calls go to must never be unloaded.
bool keepThisModule() {
  Dl_info Info;
  return ::dladdr(reinterpret_cast<const void *>(&popProbed), &Info) != 0 &&
         ::dlopen(Info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

std::string arm() {
  // Of the Clang that this module is linked to: a process may have two.
  Dl_info Own;
  if (::dladdr(reinterpret_cast<const void *>(&getClangFullVersion), &Own) == 0)
    return "the compiler is not found";
  constexpr const char *Names[FunctionCount] = {
      "_ZN5clang4Sema24pushCodeSynthesisContextENS0_20CodeSynthesisContextE",
      "_ZN5clang4Sema23popCodeSynthesisContextEv",
      "_ZN5clang4Sema21InstantiatingTemplate5ClearEv"};
  for (size_t I = 0; I != FunctionCount; ++I)
    if (!findFunction(Names[I], Own.dli_fbase, Detours[I]))
      return "the compiler exports no functions that push and pop";
  if (!keepThisModule())
    return "this module cannot be kept loaded";
  Detours[Push].Replacement = reinterpret_cast<void *>(&instantracePushProbed);
  Detours[Pop].Replacement = reinterpret_cast<void *>(&popProbed);
  Detours[Clear].Replacement = reinterpret_cast<void *>(&clearProbed);
  std::string Why = makeDetours(Detours, FunctionCount);
  instantrace_original_push = Detours[Push].Original;
  return Why;
}

} // namespace

const std::string &armProbes() {
  static const std::string Why = arm();
  return Why;
}

bool startProbing(const Sema &S, Observer &Obs) noexcept {
  for (size_t I = 0; I != std::size(Places); ++I) {
    Observer *Nobody = nullptr;
    if (!Places[I].Listener.compare_exchange_strong(Nobody, &Obs))
      continue;
    Places[I].Watched.store(&S, std::memory_order_release);
    size_t Used = UsedPlaces.load();
    while (Used < I + 1 && !UsedPlaces.compare_exchange_weak(Used, I + 1))
      ;
    return true;
  }
  return false;
}

void stopProbing(const Observer &Obs) noexcept {
  for (Listening &Place : Places)
    if (Place.Listener.load() == &Obs) {
      Place.Watched.store(nullptr);
      Place.Listener.store(nullptr);
    }
}

} // namespace instantrace

void instantracePushing(Sema *S, const Sema::CodeSynthesisContext *Entry) {
  instantrace::tell(
      S, [Entry](instantrace::Observer &Obs) { Obs.pushing(*Entry); });
}
