// Preloaded into a Clang: it says that it is of another release, VERSION.
#include <string>

namespace clang {
std::string getClangFullVersion() { return "clang version " VERSION; }
} // namespace clang
