#include "utils/commands/UnifiedDiff.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_set>

using namespace instantrace;

namespace {

constexpr std::string_view GitHead = "diff --git ";

/// The inside of "..." as git writes it, with \ooo for bytes.
std::string unquoted(std::string_view Quoted) {
  std::string Text;
  for (size_t I = 0; I != Quoted.size(); ++I) {
    if (Quoted[I] != '\\' || I + 1 == Quoted.size()) {
      Text.push_back(Quoted[I]);
      continue;
    }
    char C = Quoted[++I];
    if (C >= '0' && C <= '7') {
      unsigned Byte = 0, Digits = 0;
      for (; Digits != 3 && I != Quoted.size() && Quoted[I] >= '0' &&
             Quoted[I] <= '7';
           ++Digits)
        Byte = Byte * 8 + unsigned(Quoted[I++] - '0');
      --I;
      Text.push_back(char(Byte));
    } else {
      constexpr std::string_view Letters = "abtnvfr", Meant = "\a\b\t\n\v\f\r";
      size_t Offset = Letters.find(C);
      Text.push_back(Offset == Letters.npos ? C : Meant[Offset]);
    }
  }
  return Text;
}

/// What stands behind `--- ` or `+++ `: without a date and quotes.
std::string pathOf(std::string_view Text) {
  std::string Path;
  if (Text.starts_with('"') && Text.rfind('"') != 0)
    Path = unquoted(Text.substr(1, Text.rfind('"') - 1));
  else
    Path = Text.substr(0, Text.find('\t'));
  return Path == "/dev/null" ? std::string() : Path;
}

/// Whether it has what git's diff.mnemonicPrefix puts before a path: what is
/// compared, such as the index or the working tree.
bool hasMnemonic(std::string_view Path) {
  return Path.size() > 2 && Path[1] == '/' &&
         std::string_view("ciow12").find(Path[0]) != std::string_view::npos;
}

/// `a/` and `b/`, or mnemonics, but never both: behind `a/`, `c/` is a folder.
/// Between two sides with mnemonics these differ, and without them the paths
/// are the same. \p OldInHead is the old path where \p Old is empty.
void dropPrefixes(std::string &Old, std::string_view OldInHead,
                  std::string &New) {
  std::string_view OldSide = Old.empty() ? OldInHead : Old;
  // On one side alone it is a folder of a diff without prefixes.
  bool HasBoth = (OldSide.empty() || OldSide.starts_with("a/")) &&
                 (New.empty() || New.starts_with("b/"));
  if (!HasBoth &&
      (!hasMnemonic(OldSide) || !hasMnemonic(New) || OldSide[0] == New[0]))
    return;
  Old.erase(0, 2);
  New.erase(0, 2);
}

/// Whether \p Run comes after \p Before and has no line of it, on both sides.
bool isBehind(const ChangedLines &Run, const ChangedLines &Before) {
  auto IsBehind = [](uint32_t Line, uint32_t Count, uint32_t LineBefore,
                     uint32_t CountBefore) {
    uint64_t First = uint64_t(Line) + (Count == 0);
    return First > uint64_t(LineBefore) + CountBefore - (CountBefore != 0);
  };
  return IsBehind(Run.OldLine, Run.OldCount, Before.OldLine, Before.OldCount) &&
         IsBehind(Run.NewLine, Run.NewCount, Before.NewLine, Before.NewCount);
}

/// "12" or "12,3" at the begin of \p Text, which loses it.
bool takeRange(std::string_view &Text, uint32_t &Line, uint32_t &Count) {
  const char *End = Text.data() + Text.size();
  auto [Read, Code] = std::from_chars(Text.data(), End, Line);
  if (Code != std::errc())
    return false;
  Count = 1;
  if (Read != End && *Read == ',') {
    auto [After, CountCode] = std::from_chars(Read + 1, End, Count);
    if (CountCode != std::errc())
      return false;
    Read = After;
  }
  Text.remove_prefix(size_t(Read - Text.data()));
  return uint64_t(Line) + Count <= std::numeric_limits<uint32_t>::max();
}

/// A hunk, from its first line on.
class Hunk {
public:
  /// None: \p Head is no `@@ -1,2 +3,4 @@`.
  static std::optional<Hunk> of(std::string_view Head) {
    Hunk H;
    std::string_view Text = Head;
    auto Take = [&Text](std::string_view Word) {
      bool Is = Text.starts_with(Word);
      Text.remove_prefix(Is ? Word.size() : 0);
      return Is;
    };
    if (!Take("@@ -") || !takeRange(Text, H.Old, H.OldLeft) || !Take(" +") ||
        !takeRange(Text, H.New, H.NewLeft) || !Take(" @@"))
      return std::nullopt;
    // Without lines, the number is already that of the line before.
    H.Old -= H.OldLeft != 0 && H.Old != 0;
    H.New -= H.NewLeft != 0 && H.New != 0;
    return H;
  }

  bool isDone() const { return OldLeft == 0 && NewLeft == 0; }

  /// False: it is no line of a hunk with so many lines.
  bool add(std::string_view Line, std::vector<ChangedLines> &Runs) {
    char Kind = Line.empty() ? ' ' : Line.front(); // some tools cut the space
    if (Kind == '\\') // "No newline at end of file"
      return true;
    bool IsOld = Kind == ' ' || Kind == '-', IsNew = Kind == ' ' || Kind == '+';
    if ((!IsOld && !IsNew) || (IsOld && OldLeft == 0) ||
        (IsNew && NewLeft == 0))
      return false;
    Old += IsOld;
    OldLeft -= IsOld;
    New += IsNew;
    NewLeft -= IsNew;
    if (Kind == ' ') {
      InRun = false;
      return true;
    }
    if (!InRun)
      Runs.push_back({Old - (IsOld ? 1 : 0), 0, New - (IsNew ? 1 : 0), 0});
    InRun = true;
    ChangedLines &Run = Runs.back();
    Run.OldLine += IsOld && Run.OldCount++ == 0;
    Run.NewLine += IsNew && Run.NewCount++ == 0;
    return true;
  }

private:
  uint32_t Old = 0, OldLeft = 0; // the last line that was read, those to come
  uint32_t New = 0, NewLeft = 0;
  bool InRun = false;
};

} // namespace

Result<std::vector<ChangedFile>>
instantrace::parseUnifiedDiff(std::string_view Text, const std::string &Name) {
  std::vector<ChangedFile> Files;
  std::optional<Hunk> Open;
  std::string OldPath;
  std::string_view OldInHead; // of git's own line
  std::unordered_set<std::string> Seen;
  bool IsNewMissing = false;
  size_t LineNo = 0;
  auto Wrong = [&](std::string_view Found, const std::string &Expected) {
    constexpr size_t MostBytes = 60;
    return makeError(Name + ": line " + std::to_string(LineNo),
                     "'" + std::string(Found.substr(0, MostBytes)) + "'",
                     Expected);
  };
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find('\n', Begin), Text.size());
    std::string_view Line = Text.substr(Begin, End - Begin);
    Begin = End + 1;
    ++LineNo;
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    if (Open && (!Open->isDone() || Line.starts_with('\\'))) {
      if (!Open->add(Line, Files.back().Runs))
        return Wrong(Line, "a line of the hunk before it, which has more");
    } else if (Line.starts_with(GitHead)) {
      OldInHead = Line.substr(GitHead.size());
      OldInHead.remove_prefix(OldInHead.starts_with('"'));
    } else if (Line.starts_with("--- ")) {
      OldPath = pathOf(Line.substr(4));
      IsNewMissing = true;
    } else if (Line.starts_with("+++ ")) {
      std::string NewPath = pathOf(Line.substr(4));
      dropPrefixes(OldPath, OldInHead, NewPath);
      // Lines of the second would be those after the first.
      if (!NewPath.empty() && !Seen.insert(NewPath).second)
        return Wrong(Line, "each file once, as of git diff -U0 BASE");
      Files.push_back({OldPath, std::move(NewPath), {}});
      Open.reset();
      IsNewMissing = false;
    } else if (Line.starts_with("@@@ ") && !Files.empty()) {
      return Wrong(Line, "the diff to one base, as of git diff -U0 BASE");
    } else if (Line.starts_with("@@ ") && !Files.empty()) {
      Open = Hunk::of(Line);
      if (!Open)
        return Wrong(Line, "@@ -LINE,COUNT +LINE,COUNT @@");
    }
    // All else is between files: what git says of them, and of others.
  }
  if (IsNewMissing || (Open && !Open->isDone()))
    return makeError(
        Name + ": line " + std::to_string(LineNo), "the end of the text",
        IsNewMissing ? "+++ and the new file" : "the rest of a hunk");
  for (ChangedFile &File : Files)
    for (size_t I = 1; I < File.Runs.size(); ++I)
      if (!isBehind(File.Runs[I], File.Runs[I - 1]))
        return makeError(Name + ": " + File.NewPath,
                         "a hunk at line " +
                             std::to_string(File.Runs[I].NewLine) +
                             " that is not behind the one before it",
                         "hunks in the order of their lines");
  bool IsOfGit = Text.starts_with(GitHead);
  if (Files.empty() && !Text.empty() && !IsOfGit)
    return makeError(Name,
                     "no changed file in " + std::to_string(LineNo) + " lines",
                     "a unified diff, as of git diff -U0 BASE");
  return Files;
}
