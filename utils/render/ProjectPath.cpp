#include "utils/render/ProjectPath.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/view/PathRules.h"

#include <filesystem>

using namespace instantrace;

std::string ProjectFolders::shown(const std::string &Path,
                                  const std::string &WorkingDirectory) const {
  if (Path.empty() || (Path[0] != '/' && WorkingDirectory.empty()))
    return Path;
  std::string Full = pathFrom(WorkingDirectory, Path);
  bool IsInside = (!Base.empty() && isWithin(Full, normalPath(Base))) ||
                  (!Root.empty() && isWithin(Full, normalPath(Root)));
  return IsInside && !Base.empty() ? std::filesystem::path(Full)
                                         .lexically_relative(normalPath(Base))
                                         .string()
                                   : Full;
}

ProjectFolders &instantrace::project() {
  static ProjectFolders Project;
  return Project;
}

std::string instantrace::shownPath(std::string_view Path) {
  return printableText(project().shown(std::string(Path), {}));
}
