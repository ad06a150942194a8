/// \file
/// A plugin that measures what names cost, for the benchmark (utils/bench): it
/// collects what a compile asks names for, and lets the ways to name compete
/// when the translation unit is done.
///
/// Flow:    TemplateInstantiationCallback -> NameRequests -> NameContest
/// Options: -fplugin-arg-instantrace_names-KEY=VALUE: json=FILE (required),
///          texts=FILE, dictionary=FILE, rounds=N, cap=SECONDS, repeat=N
/// Errors:  an error of the compile, unlike the profiler's: nobody profiles a
///          build with this

#include "plugin/bench/NameContest.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace instantrace {

namespace {

struct BenchmarkOptions {
  std::string Json, Texts, Dictionary;
  ContestSettings Contest;
};

class CollectingCallback final : public TemplateInstantiationCallback {
public:
  explicit CollectingCallback(NameRequests &Requests) : Requests(Requests) {}

  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &Inst) override {
    const auto *Named = dyn_cast_or_null<NamedDecl>(Inst.Entity);
    if (!Named)
      return;
    auto [It, IsNew] = Indices.try_emplace(
        Named, static_cast<uint32_t>(Requests.Entities.size()));
    if (IsNew)
      Requests.Entities.push_back(Named);
    bool IsHit = Inst.Kind == Sema::CodeSynthesisContext::Memoization;
    Requests.Events.push_back({It->second, IsHit});
    Requests.Hits += IsHit;
  }
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {}

private:
  NameRequests &Requests;
  llvm::DenseMap<const NamedDecl *, uint32_t> Indices;
};

class BenchmarkConsumer final : public SemaConsumer {
public:
  explicit BenchmarkConsumer(BenchmarkOptions Opts) : Opts(std::move(Opts)) {}

  void InitializeSema(Sema &S) override {
    S.TemplateInstCallbacks.push_back(
        std::make_unique<CollectingCallback>(Requests));
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    NameContest Contest(Context, Requests, Opts.Contest);
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    llvm::json::OStream Json(OS);
    Json.object([&] { Contest.run(Json); });
    OS << '\n';
    write(Context, Opts.Json, OS.str());
    write(Context, Opts.Texts, Contest.texts());
    write(Context, Opts.Dictionary, Contest.dictionary());
  }

private:
  static void write(ASTContext &Context, const std::string &Path,
                    llvm::StringRef Bytes) {
    if (Path.empty())
      return;
    std::error_code Failure;
    llvm::raw_fd_ostream OS(Path, Failure);
    if (!Failure) {
      OS << Bytes;
      OS.close();
      Failure = OS.error();
      OS.clear_error();
    }
    if (!Failure)
      return;
    DiagnosticsEngine &Diagnostics = Context.getDiagnostics();
    unsigned Id = Diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                              "cannot write '%0': %1");
    Diagnostics.Report(Id) << Path << Failure.message();
  }

  BenchmarkOptions Opts;
  NameRequests Requests;
};

class BenchmarkAction final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 StringRef) override {
    return std::make_unique<BenchmarkConsumer>(Opts);
  }

  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &Arguments) override {
    for (StringRef Argument : Arguments) {
      auto [Key, Value] = Argument.split('=');
      bool IsValid = true;
      if (Key == "json")
        Opts.Json = Value.str();
      else if (Key == "texts")
        Opts.Texts = Value.str();
      else if (Key == "dictionary")
        Opts.Dictionary = Value.str();
      else if (Key == "rounds")
        IsValid = !Value.getAsInteger(10, Opts.Contest.Rounds);
      else if (Key == "cap")
        IsValid = !Value.getAsInteger(10, Opts.Contest.CapSeconds);
      else if (Key == "repeat")
        IsValid = !Value.getAsInteger(10, Opts.Contest.Repetitions);
      else
        IsValid = false;
      if (!IsValid)
        return fail(Argument + ": json=FILE, texts=FILE, dictionary=FILE, "
                               "rounds=N, cap=SECONDS or repeat=N expected");
    }
    return !Opts.Json.empty() || fail("json=FILE is missing");
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  static bool fail(const llvm::Twine &Reason) {
    llvm::errs() << "instantrace_names: " << Reason << '\n';
    return false;
  }

  BenchmarkOptions Opts;
};

const FrontendPluginRegistry::Add<BenchmarkAction>
    Register("instantrace_names", "measures what names cost");

} // namespace

} // namespace instantrace
