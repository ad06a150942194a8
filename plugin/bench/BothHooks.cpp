/// \file
/// A plugin that profiles one compile with both hooks at once, for the
/// comparison of hooks (utils/bench/hooks): what the compiler does takes as
/// long for one as for the other, so that noise cancels.
///
/// Flow:    one compile -> { Profiler, Profiler } -> two traces
/// Options: -fplugin-arg-instantrace_hooks-KEY=VALUE: output=FILE (required)
///          for FILE.callback.itrace and FILE.observer.itrace; probes=on for
///          FILE.probes.itrace in place of that; again=on for two callbacks,
///          FILE.callback.itrace and FILE.again.itrace, whose differences are
///          those of measuring; notices=MASK for an observer with some of enum
///          Notice alone; all others are the profiler's, and
///          for both
/// Errors:  an error of the compile where there is no output or no such mask,
///          unlike the profiler's: nobody profiles a build with this
///
/// The two do everything one right after the other: begin, hear of an event,
/// name, end. FILE.own-work says when one of them was at work, and the
/// comparison takes that out of both traces. So both are on CLOCK_MONOTONIC.

#include "plugin/Consumers.h"
#include "plugin/Options.h"
#include "plugin/bench/OwnWorkLog.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/MultiplexConsumer.h"

using namespace clang;

namespace instantrace {

namespace {

class BeforeBoth final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef InputFile) override {
    std::vector<std::unique_ptr<ASTConsumer>> Both;
    for (const Options &O : Opts)
      Both.push_back(startProfile(Compiler, InputFile, O));
    return std::make_unique<MultiplexConsumer>(std::move(Both));
  }

  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    std::string Output, Second = "observer";
    std::vector<std::string> ForBoth;
    NoticeMask Notices = AllNotices;
    bool IsValid = true;
    for (const std::string &Argument : Arguments) {
      auto [Key, Value] = StringRef(Argument).split('=');
      if (Key == "output")
        Output = Value.str();
      else if (Argument == "again=on" || Argument == "probes=on")
        Second = Key.str();
      else if (Key == "notices")
        IsValid = !Value.getAsInteger(0, Notices);
      else
        ForBoth.push_back(Argument);
    }
    if (Output.empty())
      return fail(Compiler, "instantrace_hooks: output=FILE is missing");
    if (!IsValid)
      return fail(Compiler, "instantrace_hooks: notices=MASK is no number");
    OwnWorkLog::get().writeTo(Output + ".own-work");
    addProfiler(ForBoth, Output, "callback", "callback");
    addProfiler(ForBoth, Output, Second,
                Second == "again" ? "callback" : Second);
    Opts.back().Notices = Notices;
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  template <unsigned Size>
  static bool fail(const CompilerInstance &Compiler,
                   const char (&Reason)[Size]) {
    DiagnosticsEngine &Diagnostics = Compiler.getDiagnostics();
    Diagnostics.Report(
        Diagnostics.getCustomDiagID(DiagnosticsEngine::Error, Reason));
    return false;
  }

  void addProfiler(std::vector<std::string> Arguments, StringRef Output,
                   StringRef Name, StringRef Hook) {
    Arguments.push_back(("output=" + Output + "." + Name + ".itrace").str());
    Arguments.push_back(("hook=" + Hook).str());
    Arguments.push_back("clock=monotonic");
    Opts.push_back(readOptions(Arguments));
    Opts.back().NamesEarly = false;
  }

  std::vector<Options> Opts;
};

// In this order: the second finds the profilers that the first has made.
const FrontendPluginRegistry::Add<BeforeBoth>
    RegisterBefore("instantrace_hooks", "profiles with both hooks at once");
const FrontendPluginRegistry::Add<AfterAction>
    RegisterAfter("instantrace_hooks_end", "end of both profiles");

} // namespace

} // namespace instantrace
