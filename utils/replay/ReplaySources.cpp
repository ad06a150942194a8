#include "utils/replay/ReplaySources.h"

#include <algorithm>
#include <filesystem>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

std::vector<std::string_view> splitLines(std::string_view Text) {
  std::vector<std::string_view> Lines;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    Lines.push_back(Line);
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
}

} // namespace

ReplaySources::OfCompile &ReplaySources::ofCompile(uint32_t Id) {
  auto [At, IsNew] = Compiles.try_emplace(Id);
  OfCompile &Of = At->second;
  if (!IsNew)
    return Of;
  InstantiationIndex::Compile C;
  std::vector<std::string> Folders;
  // One that is damaged does not say where it was.
  if (X.compile(Id, C) && X.folders(Id, Folders))
    Of.WorkingDirectory = C.WorkingDirectory;
  Of.Files = std::make_unique<SourceFiles>(
      SourceRoots(CompileFolders(Of.WorkingDirectory, Folders), Named));
  return Of;
}

const std::vector<std::string_view> *
ReplaySources::lines(uint32_t Compile, const std::string &Path) {
  if (Path.empty())
    return nullptr;
  OfCompile &Of = ofCompile(Compile);
  auto Known = Of.Lines.find(Path);
  if (Known == Of.Lines.end()) {
    const std::string *Text = nullptr;
    if (!Of.WorkingDirectory.empty())
      Text = Of.Files->text((fs::path(Of.WorkingDirectory) / Path).string());
    if (!Text)
      Text = Of.Files->text(Path);
    // Where it was compiled is not known: perhaps in a folder that was named.
    for (size_t I = 0;
         !Text && Of.WorkingDirectory.empty() && I != Named.size(); ++I)
      Text = Of.Files->text((fs::path(Named[I]) / Path).string());
    if (!Text)
      return nullptr;
    Known = Of.Lines.emplace(Path, splitLines(*Text)).first;
  }
  return &Known->second;
}
