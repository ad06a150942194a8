#include "utils/store/UnitIdentity.h"

#include "runtime/base/Hash.h"
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/render/NumberText.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Begins of words that begin like an option of the language and are none.
constexpr std::string_view NoLanguage[] = {
    "-fplugin",      "-fdebug",           "-fcoverage", "-fcolor",
    "-fno-color",    "-fdiagnostics",     "-fcaret",    "-fno-caret",
    "-fmessage",     "-fno-diagnostics",  "-fansi",     "-fshow",
    "-ferror-limit", "-ftemplate-backtr", "-mrelax",    "-mllvm",
};

bool isLanguage(std::string_view Word) {
  if (Word.find('/') != Word.npos)
    return false;
  for (std::string_view Begin : NoLanguage)
    if (Word.starts_with(Begin))
      return false;
  for (std::string_view Begin : {"-f", "-m", "-std=", "-O"})
    if (Word.starts_with(Begin))
      return true;
  return false;
}

} // namespace

std::string instantrace::pathBelow(const std::string &Root,
                                   const std::string &Folder,
                                   std::string_view Path) {
  std::string Whole =
      normalPath(Path.starts_with('/') || Folder.empty() || Path.empty()
                     ? std::string(Path)
                     : Folder + "/" + std::string(Path));
  if (Root.size() > 1 && Whole.size() > Root.size() + 1 &&
      Whole.starts_with(Root) && Whole[Root.size()] == '/')
    return Whole.substr(Root.size() + 1);
  return Whole;
}

std::vector<std::string>
instantrace::languageOptions(const TraceSession &Session) {
  std::vector<std::string> Words = {"standard " + Session.LanguageStandard,
                                    "level " + Session.OptimizationLevel};
  const std::vector<std::string> &Argv = Session.Argv;
  for (size_t I = 0; I != Argv.size(); ++I) {
    std::string_view Word = Argv[I];
    if (Word.starts_with("-D") || Word.starts_with("-U")) {
      // cc1 is given them as two words.
      bool IsApart = Word.size() == 2 && I + 1 != Argv.size();
      std::string_view Macro =
          IsApart ? std::string_view(Argv[++I]) : Word.substr(2);
      Words.push_back(std::string(Word.substr(0, 2))
                          .append(Macro.substr(0, Macro.find_first_of("=("))));
    } else if (isLanguage(Word)) {
      Words.emplace_back(Word);
    }
  }
  std::sort(Words.begin(), Words.end());
  Words.erase(std::unique(Words.begin(), Words.end()), Words.end());
  return Words;
}

UnitIdentity instantrace::unitIdentity(const Sequence &S,
                                       const std::string &Root) {
  if (!S.Session)
    return {};
  PieceHash Options;
  for (const std::string &Word : languageOptions(*S.Session))
    Options.add(Word.c_str(), Word.size() + 1);
  return {pathBelow(Root, {}, inputPath(S)), S.Session->Triple,
          hashText(Options.value())};
}
