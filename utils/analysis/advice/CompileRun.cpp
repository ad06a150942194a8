#include "utils/analysis/advice/CompileRun.h"

#include "utils/analysis/costs/CompileMatch.h"

#include <string_view>

using namespace instantrace;

std::vector<std::string>
instantrace::includeFolders(const std::vector<std::string> &Argv) {
  std::vector<std::string> Folders;
  for (size_t I = 0; I != Argv.size(); ++I)
    for (std::string_view Option : IncludeFolderOptions) {
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
  Run.Source = inputPath(S);
  Run.Product = productPath(S);
  Run.Uses = usedProducts(S);
  Run.Times = compileTimes(S);
  Run.HasTimeOfDay = S.Session->RealtimeNs != 0;
  Run.Process = processKey(*S.Session);
  return Run;
}
