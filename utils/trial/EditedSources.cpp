#include "utils/trial/EditedSources.h"

#include "runtime/base/SystemMessage.h"
#include "utils/analysis/advice/SourceScan.h"
#include "utils/open/SourceRoots.h"
#include "utils/session/SessionFolder.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

using namespace instantrace;

namespace {

constexpr size_t ContextLines = 3;

std::vector<std::string> linesOf(const std::string &Text) {
  std::vector<std::string> Lines;
  for (size_t Begin = 0; Begin < Text.size();) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size() - 1) + 1;
    Lines.push_back(Text.substr(Begin, End - Begin));
    Begin = End;
  }
  return Lines;
}

/// A string of YAML, which JSON's are.
std::string quoted(const std::string &Text) {
  std::string Quoted = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Quoted += '\\';
    Quoted += C;
  }
  return Quoted + "\"";
}

void appendDiffLines(std::string &Diff, char Sign, const std::string &Text) {
  for (const std::string &Line : linesOf(Text)) {
    Diff += Sign + Line;
    if (!Line.ends_with('\n'))
      Diff += "\n\\ No newline at end of file\n";
  }
}

std::string span(size_t Begin, size_t Count) {
  return std::to_string(Count == 0 ? Begin : Begin + 1) + "," +
         std::to_string(Count);
}

} // namespace

Result<void> EditedSources::add(const std::vector<SourceEdit> &Edits,
                                const std::string &Folder) {
  for (const SourceEdit &Edit : Edits) {
    const std::string Path =
        (std::filesystem::path(Folder) / Edit.Path).lexically_normal().string();
    auto [Known, IsNew] = Files.try_emplace(Path);
    File &Edited = Known->second;
    if (IsNew) {
      const FileDescriptor Open = openRegularFile(Path);
      if (!Open)
        return Error{Path + ": " + systemMessage(errno)};
      Edited.Lines = linesOf(readSource(Open));
    }
    if (Edit.LineNo == 0) {
      Edited.Appended += Edit.Lines;
      continue;
    }
    if (Edit.LineNo > Edited.Lines.size() ||
        (!Edit.IsOfBuild && !isIncludeLine(Edited.Lines[Edit.LineNo - 1])))
      return Error{Path + ":" + std::to_string(Edit.LineNo) +
                   " has no #include, as it had when it was compiled"};
    std::string &Into = Edited.Replaced[Edit.LineNo - 1];
    Into += Edit.Lines;
    if (Edit.KeepsLine)
      Into += Edited.Lines[Edit.LineNo - 1];
  }
  return {};
}

Result<std::string>
EditedSources::writeOverlay(const std::string &Folder) const {
  std::string Roots;
  auto addFile = [&](const std::string &Path, const std::string &Copy) {
    Roots += (Roots.empty() ? "" : ",\n") +
             ("{\"type\": \"file\", \"name\": " + quoted(Path) +
              ", \"external-contents\": " + quoted(Copy) + "}");
  };
  size_t Number = 0;
  for (const auto &[Path, Edited] : Files) {
    std::string Text;
    for (size_t I = 0; I != Edited.Lines.size(); ++I) {
      auto Changed = Edited.Replaced.find(I);
      Text += Changed == Edited.Replaced.end() ? Edited.Lines[I]
              : Changed->second.empty()        ? "\n"
                                               : Changed->second;
    }
    if (!Edited.Appended.empty() && !Text.ends_with('\n'))
      Text += '\n';
    const std::string Copy =
        Folder + "/edited-" + std::to_string(Number++) + ".cpp";
    INSTANTRACE_TRY(writeFile(Copy, Text + Edited.Appended));
    addFile(Path, Copy);
    // Clang may come to it by another path, with links resolved.
    std::error_code Failed;
    const std::string Real = std::filesystem::canonical(Path, Failed).string();
    if (!Failed && Real != Path)
      addFile(Real, Copy);
  }
  const std::string Overlay = Folder + "/overlay.yaml";
  INSTANTRACE_TRY(
      writeFile(Overlay, "{\"version\": 0, \"case-sensitive\": \"true\", "
                         "\"use-external-names\": \"false\", \"roots\": [\n" +
                             Roots + "\n]}\n"));
  return Overlay;
}

std::string EditedSources::unifiedDiff(const std::string &Root) const {
  std::string Diff;
  for (const auto &[Path, Edited] : Files) {
    const bool IsBelow = !Root.empty() && Path.starts_with(Root + "/");
    const std::string Name = IsBelow ? Path.substr(Root.size() + 1) : Path;
    Diff += IsBelow ? "--- a/" + Name + "\n+++ b/" + Name + "\n"
                    : "--- " + Name + "\n+++ " + Name + "\n";
    // Each change, by the line that it stands at; the end is one, too.
    std::vector<size_t> Changes;
    for (const auto &[Index, Lines] : Edited.Replaced)
      Changes.push_back(Index);
    const size_t Count = Edited.Lines.size();
    if (!Edited.Appended.empty())
      Changes.push_back(Count);
    int64_t Shift = 0; // of the new text's lines
    for (size_t First = 0; First != Changes.size();) {
      size_t Last = First;
      while (Last + 1 != Changes.size() &&
             Changes[Last + 1] - Changes[Last] <= 2 * ContextLines)
        ++Last;
      const size_t Begin =
          Changes[First] - std::min(Changes[First], ContextLines);
      const size_t End = std::min(Changes[Last] + 1 + ContextLines, Count);
      std::string Text;
      size_t NewCount = 0;
      auto put = [&](char Sign, const std::string &Lines) {
        appendDiffLines(Text, Sign, Lines);
        if (Sign != '-')
          NewCount += linesOf(Lines).size();
      };
      for (size_t I = Begin; I != End; ++I) {
        auto Changed = Edited.Replaced.find(I);
        const bool IsUnfinished =
            !Edited.Lines[I].ends_with('\n') && !Edited.Appended.empty();
        if (Changed == Edited.Replaced.end() && !IsUnfinished) {
          put(' ', Edited.Lines[I]);
          continue;
        }
        put('-', Edited.Lines[I]);
        put('+', Changed == Edited.Replaced.end() ? Edited.Lines[I] + "\n"
                                                  : Changed->second);
      }
      if (Changes[Last] == Count)
        put('+', Edited.Appended);
      const auto NewBegin = static_cast<size_t>(int64_t(Begin) + Shift);
      Diff += "@@ -" + span(Begin, End - Begin) + " +" +
              span(NewBegin, NewCount) + " @@\n" + Text;
      Shift += int64_t(NewCount) - int64_t(End - Begin);
      First = Last + 1;
    }
  }
  return Diff;
}
