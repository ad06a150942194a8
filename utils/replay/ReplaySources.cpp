#include "utils/replay/ReplaySources.h"

#include <filesystem>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

ReplaySources::OfCompile &ReplaySources::ofCompile(uint32_t Id) {
  auto [Entry, IsNew] = Compiles.try_emplace(Id);
  OfCompile &Compile = Entry->second;
  if (!IsNew)
    return Compile;
  InstantiationIndex::Compile C;
  std::vector<std::string> Folders;
  // One that is damaged does not say where it was.
  if (X.compile(Id, C) && X.folders(Id, Folders))
    Compile.WorkingDirectory = C.WorkingDirectory;
  Compile.Files = std::make_unique<SourceFiles>(
      SourceRoots(CompileFolders(Compile.WorkingDirectory, Folders), Named));
  return Compile;
}

const std::vector<std::string_view> *
ReplaySources::lines(uint32_t Compile, const std::string &Path) {
  if (Path.empty())
    return nullptr;
  OfCompile &C = ofCompile(Compile);
  auto Known = C.Lines.find(Path);
  if (Known == C.Lines.end()) {
    const std::string *Text = nullptr;
    if (!C.WorkingDirectory.empty())
      Text = C.Files->text((fs::path(C.WorkingDirectory) / Path).string());
    if (!Text)
      Text = C.Files->text(Path);
    // Where it was compiled is not known: perhaps in a folder that was named.
    for (size_t I = 0; !Text && C.WorkingDirectory.empty() && I != Named.size();
         ++I)
      Text = C.Files->text((fs::path(Named[I]) / Path).string());
    if (!Text)
      return nullptr;
    Known = C.Lines.emplace(Path, sourceLines(*Text)).first;
  }
  return &Known->second;
}
