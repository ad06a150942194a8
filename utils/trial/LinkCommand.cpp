#include "utils/trial/LinkCommand.h"

#include "utils/session/SessionJson.h"
#include "utils/trial/OptionList.h"

#include <filesystem>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Options of the driver, beside those for compiling.
constexpr OptionList<13> LinkKept = {"-pie",           "-no-pie",
                                     "-static-pie",    "-rdynamic",
                                     "-nostdlib++",    "-s",
                                     "-fuse-ld=lld",   "-fuse-ld=gold",
                                     "-static-libgcc", "-static-libstdc++",
                                     "-fuse-ld=bfd",   "-fuse-ld=mold",
                                     "-nostartfiles"};
constexpr OptionList<4> LinkKeptWithValue = {"-l", "-L", "-z", "-u"};
/// Where the linker comes from, and what is no link.
constexpr OptionList<6> LinkRefusedBegin = {"--sysroot",       "-isysroot",
                                            "--gcc-toolchain", "--target",
                                            "-target",         "-fuse-ld="};
constexpr OptionList<5> LinkRefused = {"-T", "-x", "-c", "-S", "-fsyntax-only"};
/// Options of the linker.
constexpr OptionList<24> LinkerWords = {"--as-needed",
                                        "--no-as-needed",
                                        "--gc-sections",
                                        "--no-gc-sections",
                                        "--start-group",
                                        "--end-group",
                                        "--whole-archive",
                                        "--no-whole-archive",
                                        "--no-undefined",
                                        "--export-dynamic",
                                        "-E",
                                        "--enable-new-dtags",
                                        "--disable-new-dtags",
                                        "--push-state",
                                        "--pop-state",
                                        "-Bstatic",
                                        "-Bdynamic",
                                        "-Bsymbolic",
                                        "-Bsymbolic-functions",
                                        "--build-id",
                                        "--color-diagnostics",
                                        "--strip-all",
                                        "--fatal-warnings",
                                        "--gdb-index"};
constexpr OptionList<6> LinkerWithValue = {
    "-rpath", "-rpath-link", "-z", "-soname", "-h", "--exclude-libs"};
constexpr OptionList<8> LinkerBegin = {
    "-soname=",    "-rpath=",       "--rpath=", "-O",
    "--build-id=", "--hash-style=", "--icf=",   "--exclude-libs="};
/// Outputs.
constexpr OptionList<4> LinkerDropped = {
    "--dependency-file=", "-Map=", "--Map=", "--print-map"};

CompileWord linkWord(std::string_view Word) {
  if (contains(LinkKept, Word))
    return CompileWord::Keep;
  if (contains(LinkKeptWithValue, Word))
    return CompileWord::KeepWithValue;
  if (contains(LinkRefused, Word) || beginsWithOne(LinkRefusedBegin, Word))
    return CompileWord::Refuse;
  return Word.starts_with("-l") || Word.starts_with("-L") ? CompileWord::Keep
                                                          : compileWord(Word);
}

/// "libshop.a", "libshop.so.1"
bool isLinkInput(std::string_view Word) {
  const std::string_view Name = Word.substr(Word.rfind('/') + 1);
  return Name.ends_with(".o") || Name.ends_with(".a") ||
         Name.ends_with(".so") || Name.find(".so.") != Name.npos;
}

Error refusedToLink(const std::string &Word) {
  return Error{"the option " + Word +
               " of its command is not known to write nothing"};
}

} // namespace

std::optional<std::vector<std::vector<std::string>>>
instantrace::splitShellCommand(std::string_view Text) {
  std::vector<std::vector<std::string>> All(1);
  std::string Word;
  bool IsWord = false; // also an empty one in quotes
  auto endWord = [&] {
    if (IsWord)
      All.back().push_back(std::move(Word));
    Word.clear();
    IsWord = false;
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == ' ' || C == '\t' || C == '\n') {
      endWord();
    } else if (C == '\'' || C == '"') {
      IsWord = true;
      for (++I; I < Text.size() && Text[I] != C; ++I) {
        if (C == '"' && (Text[I] == '$' || Text[I] == '`'))
          return {};
        if (C == '"' && Text[I] == '\\' && I + 1 < Text.size() &&
            std::string_view("$`\"\\").find(Text[I + 1]) != Text.npos)
          ++I;
        Word += Text[I];
      }
      if (I == Text.size())
        return {};
    } else if (C == '\\' && I + 1 < Text.size()) {
      Word += Text[++I];
      IsWord = true;
    } else if (Text.substr(I, 2) == "&&") {
      endWord();
      All.emplace_back();
      ++I;
    } else if (std::string_view("&;|<>()$`*?[#~\\").find(C) != Text.npos) {
      return {};
    } else {
      Word += C;
      IsWord = true;
    }
  }
  endWord();
  return All;
}

Result<std::vector<LinkCommand>>
instantrace::readLinkCommands(std::string_view Text,
                              const std::string &WorkingDirectory,
                              const std::set<std::string> &Objects) {
  std::vector<std::string> Lines;
  if (Text.starts_with('[')) {
    const json::Json Whole =
        json::Json::parse(Text, nullptr, /*allow_exceptions=*/false);
    if (!Whole.is_array())
      return Error{"ninja -t compdb printed no JSON"};
    for (const json::Json &Each : Whole)
      if (Each.is_object())
        json::read(Each, "command", Lines.emplace_back());
  } else {
    while (!Text.empty()) {
      const size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
      Lines.emplace_back(Text.substr(0, End));
      Text.remove_prefix(End);
    }
  }
  std::vector<LinkCommand> Found;
  for (const std::string &Line : Lines) {
    const auto Commands = splitShellCommand(Line);
    if (!Commands)
      continue;
    for (const std::vector<std::string> &Words : *Commands) {
      LinkCommand Link{Words, WorkingDirectory, {}};
      for (size_t I = 1; I < Words.size(); ++I) {
        const std::string Path =
            (fs::path(WorkingDirectory) / Words[I]).lexically_normal().string();
        if (Words[I - 1] != "-o" && Words[I - 1] != "-MT" &&
            Objects.contains(Path))
          Link.Objects[I] = Path;
      }
      if (!Link.Objects.empty())
        Found.push_back(std::move(Link));
    }
  }
  return Found;
}

Result<std::vector<std::string>>
instantrace::scratchLink(const LinkCommand &Link, const std::string &Output,
                         const std::map<std::string, std::string> &Replaced) {
  const std::string &Linker = Link.Words.front();
  if (!isClangDriver(Linker.substr(Linker.rfind('/') + 1)))
    return Error{"its objects go to " + Linker +
                 ", which is not called as Clang is"};
  INSTANTRACE_TRY_ASSIGN(std::string Program,
                         clangDriver(Linker, Link.WorkingDirectory));
  std::vector<std::string> Words = {std::move(Program)};
  bool IsValue = false; // of an option of the linker
  auto addLinkerWord = [&](const std::string &Word) {
    if (!IsValue && beginsWithOne(LinkerDropped, Word))
      return true;
    const bool HasValue = !IsValue && contains(LinkerWithValue, Word);
    const bool IsKept = IsValue ? !Word.starts_with('-')
                                : HasValue || contains(LinkerWords, Word) ||
                                      beginsWithOne(LinkerBegin, Word);
    IsValue = HasValue;
    Words.insert(Words.end(), {"-Xlinker", Word});
    return IsKept;
  };
  for (size_t I = 1; I < Link.Words.size(); ++I) {
    const std::string &Word = Link.Words[I];
    const bool HasNext = I + 1 < Link.Words.size();
    if (auto Object = Link.Objects.find(I); Object != Link.Objects.end()) {
      auto Tried = Replaced.find(Object->second);
      Words.push_back(Tried == Replaced.end() ? Word : Tried->second);
    } else if (Word == "-o" && HasNext) {
      ++I;
    } else if (Word == "-Xlinker" && HasNext) {
      if (!addLinkerWord(Link.Words[++I]))
        return refusedToLink(Link.Words[I]);
    } else if (Word.starts_with("-Wl,")) {
      for (size_t Begin = 4; Begin <= Word.size();) {
        const size_t End = std::min(Word.find(',', Begin), Word.size());
        if (!addLinkerWord(Word.substr(Begin, End - Begin)))
          return refusedToLink(Word);
        Begin = End + 1;
      }
    } else if (!Word.starts_with('-')) {
      if (!isLinkInput(Word))
        return Error{Word.starts_with('@')
                         ? "its options are in a file, " + Word
                         : "it links " + Word + ", which is no object"};
      Words.push_back(Word);
    } else {
      const CompileWord Use = linkWord(Word);
      const bool HasValue = Use == CompileWord::KeepWithValue ||
                            Use == CompileWord::DropWithValue;
      if (Use == CompileWord::Refuse || (HasValue && !HasNext))
        return refusedToLink(Word);
      if (Use == CompileWord::Keep || Use == CompileWord::KeepWithValue)
        Words.push_back(Word);
      if (HasValue && ++I && Use == CompileWord::KeepWithValue)
        Words.push_back(Link.Words[I]);
    }
  }
  if (IsValue)
    return refusedToLink(Words.back());
  Words.insert(Words.end(), {"-o", Output});
  return Words;
}
