#include "utils/replay/LineEditor.h"

#include "runtime/base/NewFile.h"
#include "runtime/base/PrintableText.h"
#include "utils/open/Leftovers.h"
#include "utils/render/NameElision.h"
#include "utils/render/Terminal.h"
#include "utils/replay/Interrupt.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <fcntl.h>
#include <filesystem>
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr int HistoryLines = 1000;
constexpr off_t MostHistoryBytes = 1 << 22;
constexpr size_t MostWordsShown = 200;

volatile std::sig_atomic_t WasResized = 0, WasContinued = 0;

void onTerminalChange(int Signal) {
  (Signal == SIGWINCH ? WasResized : WasContinued) = 1;
}

/// Text in the characters of the terminal, for libedit alone: what others
/// compare and print must not depend on where it is run.
class TerminalLocale {
public:
  TerminalLocale() : Own(::newlocale(LC_CTYPE_MASK, "", nullptr)) {}
  ~TerminalLocale() {
    if (Own)
      ::freelocale(Own);
  }
  TerminalLocale(const TerminalLocale &) = delete;
  TerminalLocale &operator=(const TerminalLocale &) = delete;
  locale_t get() const { return Own; }

private:
  locale_t Own;
};

class UsedLocale {
public:
  explicit UsedLocale(locale_t Wanted)
      : Before(Wanted ? ::uselocale(Wanted) : nullptr) {}
  ~UsedLocale() {
    if (Before)
      ::uselocale(Before);
  }
  UsedLocale(const UsedLocale &) = delete;
  UsedLocale &operator=(const UsedLocale &) = delete;

private:
  locale_t Before;
};

std::string sharedBegin(const std::vector<std::string> &Words) {
  std::string Begin = Words.front();
  for (const std::string &Word : Words) {
    auto Differ =
        std::mismatch(Begin.begin(), Begin.end(), Word.begin(), Word.end());
    Begin.erase(Differ.first, Begin.end());
  }
  return Begin;
}

bool isTypeable(const std::string &Word) { return printableText(Word) == Word; }

/// In columns, as shells show them.
std::string inColumns(const std::vector<std::string> &Words) {
  size_t Widest = 1, Columns = standardOutputTerminal().Columns;
  for (const std::string &Word : Words)
    Widest = std::max(Widest, columnsOf(Word) + 2);
  size_t InLine = std::max<size_t>(1, Columns / Widest);
  std::string Text = "\n";
  size_t Shown = std::min(Words.size(), MostWordsShown);
  for (size_t I = 0; I != Shown; ++I) {
    Text += elideName(Words[I], Columns);
    bool IsLast = I + 1 == Shown || (I + 1) % InLine == 0;
    Text += IsLast ? "\n" : std::string(Widest - columnsOf(Words[I]), ' ');
  }
  if (Shown != Words.size())
    Text += "and " + std::to_string(Words.size() - Shown) + " more\n";
  return Text;
}

} // namespace

std::string instantrace::replayHistoryPath() {
  const char *State = std::getenv("XDG_STATE_HOME");
  const char *Home = std::getenv("HOME");
  fs::path Folder;
  if (State && *State == '/') // others are to be ignored
    Folder = State;
  else if (Home && *Home == '/')
    Folder = fs::path(Home) / ".local" / "state";
  else
    return {};
  return (Folder / "instantrace" / "replay-history").string();
}

struct LineEditor::State {
  std::string Prompt;
  Completer Complete;
  TerminalLocale Locale;
  EditLine *Edit = nullptr;
  History *Lines = nullptr;
  std::string HistoryPath;
  struct sigaction BeforeResize = {}, BeforeContinue = {};

  static State &of(EditLine *Edit) {
    void *Data = nullptr;
    el_get(Edit, EL_CLIENTDATA, &Data);
    return *static_cast<State *>(Data);
  }
  static const char *prompt(EditLine *Edit) { return of(Edit).Prompt.c_str(); }
  static int readCharacter(EditLine *Edit, wchar_t *Into);
  static unsigned char complete(EditLine *Edit, int);

  void open();
  void loadHistory();
  void saveHistory() const;
};

/// Waits for a byte, and for those that belong to it.
int LineEditor::State::readCharacter(EditLine *Edit, wchar_t *Into) {
  std::mbstate_t Shift = {};
  while (true) {
    if (std::exchange(WasContinued, 0)) {
      el_set(Edit, EL_PREP_TERM, 1);
      el_set(Edit, EL_REFRESH);
    }
    if (std::exchange(WasResized, 0))
      el_resize(Edit);
    if (!waitForInput(STDIN_FILENO)) {
      if (isInterrupted()) {
        errno = EINTR;
        return -1;
      }
      continue;
    }
    char Byte = 0;
    ssize_t Got = ::read(STDIN_FILENO, &Byte, 1);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return static_cast<int>(Got);
    size_t Length = std::mbrtowc(Into, &Byte, 1, &Shift);
    if (Length == static_cast<size_t>(-2))
      continue;
    if (Length == static_cast<size_t>(-1)) {
      Shift = {};
      *Into = L'?'; // no character of this terminal
    }
    return 1;
  }
}

unsigned char LineEditor::State::complete(EditLine *Edit, int) {
  State &S = of(Edit);
  const LineInfo *Line = el_line(Edit);
  std::string Before(Line->buffer,
                     static_cast<size_t>(Line->cursor - Line->buffer));
  Completions Found = S.Complete(Before);
  std::erase_if(Found.Words, [](const auto &W) { return !isTypeable(W); });
  if (Found.Words.empty())
    return CC_REFRESH_BEEP;
  std::string Typed = Before.substr(std::min(Found.Begin, Before.size()));
  std::string More = sharedBegin(Found.Words);
  if (!More.starts_with(Typed))
    return CC_REFRESH_BEEP;
  More.erase(0, Typed.size());
  if (Found.Words.size() == 1 && Found.IsWhole)
    More += ' ';
  if (!More.empty())
    return el_insertstr(Edit, More.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  std::string Text = inColumns(Found.Words);
  std::fwrite(Text.data(), 1, Text.size(), stdout);
  std::fflush(stdout);
  return CC_REDISPLAY;
}

void LineEditor::State::open() {
  Edit = el_init("instantrace", stdin, stdout, stderr);
  Lines = history_init();
  if (!Edit || !Lines)
    return;
  el_set(Edit, EL_CLIENTDATA, this);
  el_set(Edit, EL_PROMPT, prompt);
  el_set(Edit, EL_EDITOR, "emacs");
  el_set(Edit, EL_GETCFN, readCharacter);
  HistEvent Event;
  history(Lines, &Event, H_SETSIZE, HistoryLines);
  history(Lines, &Event, H_SETUNIQUE, 1);
  el_set(Edit, EL_HIST, history, Lines);
  // The narrow form copies both texts, and libedit never frees them.
  el_wset(Edit, EL_ADDFN, L"replay-complete", L"complete a word", complete);
  el_set(Edit, EL_BIND, "^I", "replay-complete", nullptr);
  el_set(Edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(Edit, nullptr); // what the user has in ~/.editrc
  loadHistory();
}

void LineEditor::State::loadHistory() {
  HistoryPath = replayHistoryPath();
  // libedit would wait for a pipe, and read whatever there is.
  FileDescriptor Open = openRegularFile(HistoryPath);
  struct stat Status;
  if (!Open || ::fstat(Open.get(), &Status) != 0 ||
      Status.st_size > MostHistoryBytes)
    return;
  HistEvent Event;
  history(Lines, &Event, H_LOAD, HistoryPath.c_str());
}

/// As a whole, and from the first byte of this user alone.
void LineEditor::State::saveHistory() const {
  if (HistoryPath.empty())
    return;
  std::error_code Failed;
  fs::path Folder = fs::path(HistoryPath).parent_path();
  fs::create_directories(Folder.parent_path(), Failed);
  if (::mkdir(Folder.c_str(), 0700) != 0 && errno != EEXIST)
    return;
  constexpr unsigned OwnerOnly = 0600;
  UnfinishedFile New;
  int Descriptor =
      makeNewFile(HistoryPath + ".", ".tmp", O_WRONLY, OwnerOnly, New);
  FILE *File = Descriptor < 0 ? nullptr : ::fdopen(Descriptor, "w");
  if (!File)
    return;
  HistEvent Event;
  bool IsWhole = history(Lines, &Event, H_SAVE_FP, File) >= 0;
  IsWhole = std::fclose(File) == 0 && IsWhole;
  if (IsWhole)
    New.renameTo(HistoryPath);
}

LineEditor::LineEditor(std::string Prompt, Completer Complete)
    : S(std::make_unique<State>()) {
  S->Prompt = std::move(Prompt);
  S->Complete = std::move(Complete);
  UsedLocale Terminal(S->Locale.get());
  S->open();
  struct sigaction Ours = {};
  Ours.sa_handler = onTerminalChange;
  sigemptyset(&Ours.sa_mask);
  sigaction(SIGWINCH, &Ours, &S->BeforeResize);
  sigaction(SIGCONT, &Ours, &S->BeforeContinue);
}

LineEditor::~LineEditor() {
  sigaction(SIGWINCH, &S->BeforeResize, nullptr);
  sigaction(SIGCONT, &S->BeforeContinue, nullptr);
  UsedLocale Terminal(S->Locale.get());
  if (S->Lines)
    S->saveHistory();
  if (S->Edit)
    el_end(S->Edit);
  if (S->Lines)
    history_end(S->Lines);
}

void LineEditor::setPrompt(std::string Text) { S->Prompt = std::move(Text); }

bool LineEditor::isPossible() {
  const char *Term = std::getenv("TERM");
  return ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO) && Term && *Term &&
         std::strcmp(Term, "dumb") != 0;
}

Result<std::optional<std::string>> LineEditor::read() {
  if (!S->Edit || !S->Lines)
    return Error{"found no terminal, expected one that libedit knows"};
  UsedLocale Terminal(S->Locale.get());
  int Count = 0;
  errno = 0;
  const char *Line = el_gets(S->Edit, &Count);
  if (isInterrupted()) {
    std::fputs("^C\n", stdout);
    std::fflush(stdout);
    return std::optional(std::string());
  }
  if (!Line || Count <= 0) {
    if (Count < 0)
      return Error{std::string("standard input: ") + systemMessage(errno)};
    std::fputs("quit\n", stdout);
    std::fflush(stdout);
    return std::optional<std::string>();
  }
  std::string Text(Line, static_cast<size_t>(Count));
  while (!Text.empty() && (Text.back() == '\n' || Text.back() == '\r'))
    Text.pop_back();
  HistEvent Event;
  if (Text.find_first_not_of(" \t") != std::string::npos)
    history(S->Lines, &Event, H_ENTER, Text.c_str());
  return std::optional(std::move(Text));
}
