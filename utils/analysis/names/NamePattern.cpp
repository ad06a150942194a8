#include "utils/analysis/names/NamePattern.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

using namespace instantrace;

namespace {

constexpr std::string_view GlobPrefix = "glob:", RegexPrefix = "regex:";

/// Linear in the name for each `*` of the pattern: where the rest does not fit,
/// the last `*` takes one byte more.
bool matchesGlob(std::string_view Glob, std::string_view Name) {
  constexpr size_t None = std::string_view::npos;
  size_t G = 0, N = 0, Star = None, StarName = 0;
  while (N != Name.size()) {
    bool IsEscaped = G + 1 < Glob.size() && Glob[G] == '\\';
    if (G != Glob.size() && Glob[G] == '*') {
      Star = G++;
      StarName = N;
      continue;
    }
    if (G != Glob.size() &&
        (IsEscaped ? Glob[G + 1] == Name[N]
                   : Glob[G] == '?' || Glob[G] == Name[N])) {
      G += IsEscaped ? 2 : 1;
      ++N;
      continue;
    }
    if (Star == None)
      return false;
    G = Star + 1;
    N = ++StarName;
  }
  while (G != Glob.size() && Glob[G] == '*')
    ++G;
  return G == Glob.size();
}

/// Of an expression. PCRE2's own limit for parentheses is the same; what it
/// compiles to has at most 64 KiB, whatever is repeated how often.
constexpr uint32_t MostNesting = 250;
constexpr size_t MostPatternBytes = 64 << 10;

/// Of one match; PCRE2's own limit, which is a third of a second.
constexpr uint32_t MostSteps = 10'000'000;
constexpr size_t FirstStackBytes = 32 << 10, MostStackBytes = 64 << 20;
constexpr uint32_t MostHeapKiB = 64 << 10; // where there is no machine code

/// Of this thread: where a match is, is not asked.
struct MatchSpace {
  pcre2_match_data *Data = pcre2_match_data_create(1, nullptr);
  pcre2_jit_stack *Stack = nullptr;
  ~MatchSpace() {
    pcre2_match_data_free(Data);
    pcre2_jit_stack_free(Stack);
  }
};

MatchSpace &matchSpace() {
  thread_local MatchSpace Own;
  return Own;
}

/// Pages of it are taken as they are needed. Null: there is no room, so the
/// thread's own stack has to do.
pcre2_jit_stack *stackOfThread(void *) {
  MatchSpace &Own = matchSpace();
  if (!Own.Stack)
    Own.Stack =
        pcre2_jit_stack_create(FirstStackBytes, MostStackBytes, nullptr);
  return Own.Stack;
}

/// For a message.
std::string quotedPattern(std::string_view Text) {
  constexpr size_t MostBytes = 80;
  std::string Quoted = "'" + std::string(Text.substr(0, MostBytes));
  return Quoted + (Text.size() > MostBytes ? "\u2026'" : "'");
}

std::string pcreMessage(int Code) {
  char Message[256] = "";
  pcre2_get_error_message(Code, reinterpret_cast<PCRE2_UCHAR *>(Message),
                          sizeof(Message));
  return Message;
}

PCRE2_SPTR bytesOf(std::string_view Text) {
  return reinterpret_cast<PCRE2_SPTR>(Text.data() ? Text.data() : "");
}

} // namespace

struct NamePattern::Compiled {
  std::string Text;
  pcre2_code *Code = nullptr;
  pcre2_match_context *Limits = nullptr;
  bool HasMachineCode = false;
  ~Compiled() {
    pcre2_code_free(Code);
    pcre2_match_context_free(Limits);
  }
};

Result<NamePattern> NamePattern::make(const std::string &Text) {
  NamePattern Pattern;
  if (Text.starts_with(GlobPrefix)) {
    Pattern.Glob = Text.substr(GlobPrefix.size());
    return Pattern;
  }
  auto New = std::make_shared<Compiled>();
  New->Text =
      Text.starts_with(RegexPrefix) ? Text.substr(RegexPrefix.size()) : Text;
  std::unique_ptr<pcre2_compile_context, decltype(&pcre2_compile_context_free)>
      Bounds(pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  New->Limits = pcre2_match_context_create(nullptr);
  if (!Bounds || !New->Limits)
    throw std::bad_alloc();
  pcre2_set_parens_nest_limit(Bounds.get(), MostNesting);
  pcre2_set_max_pattern_length(Bounds.get(), MostPatternBytes);
  int Reason = 0;
  PCRE2_SIZE Place = 0;
  // Bytes, since names need not be UTF-8; $ is the end alone, and . a line's
  // end as well.
  New->Code = pcre2_compile(bytesOf(New->Text), New->Text.size(),
                            PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY |
                                PCRE2_NEVER_UTF | PCRE2_NEVER_UCP,
                            &Reason, &Place, Bounds.get());
  if (!New->Code)
    return Error{quotedPattern(New->Text) + " is not a regular expression: " +
                 pcreMessage(Reason) + ", at byte " + std::to_string(Place)};
  pcre2_set_match_limit(New->Limits, MostSteps);
  pcre2_set_depth_limit(New->Limits, MostSteps);
  pcre2_set_heap_limit(New->Limits, MostHeapKiB);
  pcre2_jit_stack_assign(New->Limits, stackOfThread, nullptr);
  // An expression may refuse it, or a machine have none.
  size_t MachineCodeBytes = 0;
  New->HasMachineCode = pcre2_jit_compile(New->Code, PCRE2_JIT_COMPLETE) == 0 &&
                        pcre2_pattern_info(New->Code, PCRE2_INFO_JITSIZE,
                                           &MachineCodeBytes) == 0 &&
                        MachineCodeBytes != 0;
  Pattern.Regex = std::move(New);
  return Pattern;
}

bool NamePattern::matches(std::string_view Name) const {
  if (!Regex)
    return matchesGlob(Glob, Name);
  pcre2_match_data *Data = matchSpace().Data;
  if (!Data)
    throw std::bad_alloc();
  auto *Match = Regex->HasMachineCode ? pcre2_jit_match : pcre2_match;
  const int Found =
      Match(Regex->Code, bytesOf(Name), Name.size(), 0, 0, Data, Regex->Limits);
  // More than there is room for in Data is a match, too: 0.
  if (Found >= 0 || Found == PCRE2_ERROR_NOMATCH)
    return Found >= 0;
  throw PatternLimitError(quotedPattern(Regex->Text) +
                          " is too much work on the name " +
                          quotedPattern(Name) + " (" + pcreMessage(Found) +
                          "); write it with fewer repetitions inside of each "
                          "other");
}
