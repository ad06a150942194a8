#include "utils/replay/ReplaySources.h"

#include "utils/input/FileDescriptor.h"
#include "utils/input/TraceInputs.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// A session is among the first packets.
constexpr size_t HeadBytes = 1 << 20;

/// As far as it can be read; empty: it is not there.
std::string headOf(const std::string &Path) {
  FileDescriptor File = openRegularFile(Path);
  std::string Bytes(File ? HeadBytes : 0, '\0');
  ssize_t Got = File ? ::pread(File.get(), Bytes.data(), Bytes.size(), 0) : 0;
  Bytes.resize(static_cast<size_t>(std::max<ssize_t>(Got, 0)));
  return Bytes;
}

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
  InstantiationIndex::Compile Is;
  Trace Head;
  if (X.compile(Id, Is)) {
    // Where it was when the index was made, or beside the index.
    std::string Bytes = headOf(Is.Trace);
    if (Bytes.empty())
      Bytes = headOf(
          (fs::path(X.name()).parent_path() / fs::path(Is.Trace).filename())
              .string());
    // It ends somewhere, and is read up to there.
    if (Result<void> Read = addTrace(Bytes, Is.Trace, Head); !Read)
      Head = {};
    std::erase_if(Head.Sequences, [&](const Sequence &S) {
      return S.Id != Is.Sequence || !S.Session;
    });
    if (!Head.Sequences.empty())
      Of.WorkingDirectory = Head.Sequences.front().Session->WorkingDirectory;
  }
  Of.Files = std::make_unique<SourceFiles>(SourceRoots(Head, Named));
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
    if (!Text)
      return nullptr;
    Known = Of.Lines.emplace(Path, splitLines(*Text)).first;
  }
  return &Known->second;
}
