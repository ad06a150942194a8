#include "utils/analysis/advice/CompileRun.h"

#include "utils/analysis/view/PathRules.h"

#include <string_view>

using namespace instantrace;

std::vector<std::string>
instantrace::includeFolders(const std::vector<std::string> &Argv) {
  std::vector<std::string> Folders;
  for (size_t I = 0; I != Argv.size(); ++I)
    for (std::string_view Option :
         {"-I", "-isystem", "-iquote", "-idirafter"}) {
      if (!Argv[I].starts_with(Option))
        continue;
      if (Argv[I].size() != Option.size())
        Folders.push_back(Argv[I].substr(Option.size()));
      else if (I + 1 != Argv.size())
        Folders.push_back(Argv[I + 1]);
    }
  return Folders;
}

CompileRun instantrace::compileRun(const Sequence &S, uint64_t Ns) {
  CompileRun Run;
  Run.Ns = Ns;
  if (!S.Session)
    return Run;
  const TraceSession &Session = *S.Session;
  auto full = [&Session](const std::string &Path) {
    return Path.empty() ? Path : pathFrom(Session.WorkingDirectory, Path);
  };
  Run.Source = full(Session.Input);
  Run.Product = full(Session.Object);
  for (const std::vector<std::string> *Inputs :
       {&Session.PchInputs, &Session.ModuleInputs})
    for (const std::string &Path : *Inputs)
      Run.Uses.push_back(full(Path));
  Run.Times = compileTimes(S);
  Run.HasTimeOfDay = Session.RealtimeNs != 0;
  Run.Process = processKey(Session);
  return Run;
}
