#include "utils/lsp/AdviceEdit.h"

#include "utils/analysis/advice/SourceScan.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/UriText.h"

#include <algorithm>
#include <filesystem>
#include <utility>

using namespace instantrace;

namespace {

using OpenDocuments = std::map<std::string, Document>; ///< by URI

OpenDocuments::const_iterator findOpen(const OpenDocuments &Open,
                                       const std::string &Path) {
  return std::ranges::find_if(Open, [&Path](const auto &Entry) {
    std::error_code None;
    const std::string &Known = Entry.second.path();
    return Known == Path ||
           std::filesystem::equivalent(Known, Path, None); // by a link
  });
}

RpcJson position(size_t Line, size_t Character) {
  return {{"line", Line}, {"character", Character}};
}

RpcJson textEdit(RpcJson Start, RpcJson End, std::string Text) {
  return {{"range", {{"start", std::move(Start)}, {"end", std::move(End)}}},
          {"newText", std::move(Text)}};
}

/// An explicit instantiation may not be there twice.
bool hasLines(const SourceEdit &Edit, const Document &Now) {
  return Edit.LineNo == 0 &&
         !std::ranges::search(Now.lines(), documentLines(Edit.Lines)).empty();
}

/// None: the line is not there any more, or is no #include, whatever the file's
/// time says: it may have come from an archive or another checkout.
std::optional<RpcJson> lineEdit(const SourceEdit &Edit, const Document &Now,
                                PositionUnit Unit) {
  const size_t Count = Now.lines().size();
  auto end = [&](size_t Line) {
    return position(Line, Now.lineLength(Unit, static_cast<uint32_t>(Line)));
  };
  if (Edit.LineNo == 0) {
    if (Count == 0)
      return textEdit(position(0, 0), position(0, 0), Edit.Lines);
    std::string Text = "\n" + Edit.Lines;
    Text.pop_back(); // the last line has an end, or needs none
    return textEdit(end(Count - 1), end(Count - 1), std::move(Text));
  }
  const uint32_t Line = Now.lineNow(Edit.LineNo, /*IsStale=*/false);
  if (Line == 0 || !isIncludeLine(Now.lines()[Line - 1]))
    return std::nullopt;
  const RpcJson Begin = position(Line - 1, Now.lineBegin(Unit, Line - 1));
  if (Edit.KeepsLine)
    return textEdit(Begin, Begin, Edit.Lines);
  return textEdit(Begin, Line == Count ? end(Count - 1) : position(Line, 0),
                  Edit.Lines);
}

} // namespace

Result<RpcJson>
instantrace::adviceEdit(const LineAdvice &Advice, PositionUnit Unit,
                        const std::map<std::string, Document> &Open) {
  std::map<std::string, std::vector<const SourceEdit *>> ByPath;
  for (const SourceEdit &Edit : Advice.Edits)
    ByPath[Edit.Path].push_back(&Edit);
  RpcJson Changes = RpcJson::object();
  for (const auto &[Path, Edits] : ByPath) {
    OpenDocuments Closed;
    auto File = findOpen(Open, Path);
    if (File == Open.end()) {
      File = Closed.try_emplace(fileUri(Path), Path).first;
      Closed.begin()->second.showDisk();
    }
    const auto &[Uri, Now] = *File;
    if (Now.isStale(Advice.CompiledRealtimeNs))
      return Error{shownPath(Path) + " is not as it was compiled"};
    RpcJson &Into = Changes[Uri] = RpcJson::array();
    for (const SourceEdit *Edit : Edits) {
      if (hasLines(*Edit, Now))
        continue;
      std::optional<RpcJson> Made = lineEdit(*Edit, Now, Unit);
      if (!Made)
        return Error{shownPath(Path) + " is not as it was compiled"};
      // Two texts for one place would be two edits of it, which an editor
      // refuses.
      auto Same = std::ranges::find_if(Into, [&Made](const RpcJson &Known) {
        return Known["range"] == (*Made)["range"];
      });
      if (Same == Into.end())
        Into.push_back(std::move(*Made));
      else
        (*Same)["newText"] = (*Same)["newText"].get<std::string>() +
                             (*Made)["newText"].get<std::string>();
    }
  }
  return RpcJson{{"changes", std::move(Changes)}};
}
