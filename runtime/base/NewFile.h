/// \file
/// Files that nobody else has: how each file is made whose name is ours and not
/// the user's, until it is renamed.
///
/// Errors: -1, and errno says why
/// Owns:   such files: they are removed where they are not kept, also when a
///         signal ends the tool (removeUnfinishedFilesAtEnd)
/// Trust:  the folder may be shared. A name cannot be known beforehand, and one
///         that is taken, by a link as well, is never opened
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace instantrace {

/// The file of a name that is ours. Any thread may have some.
class UnfinishedFile {
public:
  UnfinishedFile() = default;
  /// To be called before the file is made, so that no signal comes in between.
  /// Requires: nobody else has a file of that name.
  explicit UnfinishedFile(std::string Path);
  ~UnfinishedFile() { remove(); }
  UnfinishedFile(UnfinishedFile &&Other) noexcept
      : Path(std::exchange(Other.Path, {})),
        Listed(std::exchange(Other.Listed, nullptr)) {}
  UnfinishedFile &operator=(UnfinishedFile &&Other) noexcept {
    std::swap(Path, Other.Path);
    std::swap(Listed, Other.Listed);
    return *this;
  }

  /// Empty: there is none.
  const std::string &path() const { return Path; }
  void remove();
  /// Gives it that name, whatever had it. False: errno says why, and it is
  /// still unfinished.
  bool renameTo(const std::string &Name);
  /// It has another name by now, or somebody else removes it.
  void keep();

private:
  std::string Path;
  char *Listed = nullptr; ///< where a signal handler finds it
};

/// From here on the signals that ask this process to end, but for those that it
/// was started to ignore, remove all unfinished files first.
void removeUnfinishedFilesAtEnd();

/// The same twice by accident alone.
uint64_t unguessableNumber();

/// How many hexadecimal digits makeNewFile() puts into a name.
inline constexpr unsigned NewFileDigits = 8;

/// Makes "STEM01234567ENDING" and opens it with \p Flags, such as O_WRONLY, and
/// O_CLOEXEC.
int makeNewFile(const std::string &Stem, std::string_view Ending, int Flags,
                unsigned Mode, UnfinishedFile &Made);

} // namespace instantrace
