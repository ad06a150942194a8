// Regular expressions that are matched while compiling: characters, `.`, `*`, `^` and `$`.
constexpr bool matchHere(const char *Pattern, const char *Text);
constexpr bool matchStar(char Letter, const char *Pattern, const char *Text) { do { if (matchHere(Pattern, Text)) return true; } while (*Text != 0 && (*Text++ == Letter || Letter == '.')); return false; }
constexpr bool matchHere(const char *Pattern, const char *Text) { if (Pattern[0] == 0) return true; if (Pattern[1] == '*') return matchStar(Pattern[0], Pattern + 2, Text); if (Pattern[0] == '$' && Pattern[1] == 0) return *Text == 0; return *Text != 0 && (Pattern[0] == '.' || Pattern[0] == *Text) && matchHere(Pattern + 1, Text + 1); }
constexpr bool match(const char *Pattern, const char *Text) { if (Pattern[0] == '^') return matchHere(Pattern + 1, Text); do { if (matchHere(Pattern, Text)) return true; } while (*Text++ != 0); return false; }
constexpr int matches(const char *Pattern, int Times) { int Sum = 0; for (int I = 0; I < Times; ++I) Sum += match(Pattern, "the quick brown fox jumps over the lazy dog") + match(Pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaab"); return Sum; }

constexpr int Words = matches("q.*k.*f.x", 90);
static_assert(matches("^the.*dog$", 120) == 120, "begins and ends so");
namespace log_lines {
inline constexpr int Lazy = matches("l.zy", 150), Stars = matches("a*a*b", 40);
enum class Kind { None, Fox = matches("fox", 130), Dog = matches("dog$", 140) };
struct Header { unsigned Field : matches("^a*b$", 1) + 7; };
}
static const int Found = matches("o.*o.*o", 100);
bool Flags[matches("b$", 110) + 1];
int use() { constexpr auto Counted = matches("j.*s", 100); return Counted + Words + int(Found); }
