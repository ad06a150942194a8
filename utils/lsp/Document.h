/// \file
/// A file that is open in an editor: its lines now, and as they were compiled.
///
/// Flow:   didOpen, didChange -> [Document] -> LspServer
/// Bounds: the file is read up to SourceFiles::MostFileBytes
///
/// A trace has numbers of lines and not their text. A file that is older than
/// its compile is as it was compiled, so its lines are found again wherever the
/// editor moved them to. One that is newer, or is not there, is *stale*: its
/// lines are taken by their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

inline constexpr size_t MostDocumentLines = size_t(1) << 20;

/// Lines without their ends and a byte order mark, and no more than that.
std::vector<std::string> documentLines(std::string_view Text);

/// The number in \p New of each line in \p Old, from 1; 0: it is not there.
/// Found are the lines that both begin and end with; between these, lines that
/// are there once, and those beside them.
std::vector<uint32_t> movedLines(const std::vector<std::string> &Old,
                                 const std::vector<std::string> &New);

enum class PositionUnit { Utf8, Utf16 };
/// What the end of a line of UTF-8 has as its character.
size_t lengthIn(PositionUnit Unit, std::string_view Line);

class Document {
public:
  Document() = default;
  explicit Document(std::string Path) : Path(std::move(Path)) { readDisk(); }

  const std::string &path() const { return Path; }
  const std::vector<std::string> &lines() const { return Lines; }
  /// Where a line ends, from 0, in what the editor has.
  size_t lineLength(PositionUnit Unit, uint32_t Line) const;
  /// Where it begins: behind a byte order mark.
  size_t lineBegin(PositionUnit Unit, uint32_t Line) const;
  size_t sizeBytes() const {
    return TextBytes + DiskBytes +
           (Lines.size() + OnDisk.size()) * sizeof(std::string);
  }
  void setText(std::string_view Text);
  /// Takes the file as it is now for what was compiled.
  void readDisk();
  /// As if an editor had just opened it.
  void showDisk() {
    Lines = OnDisk;
    Moved.reset();
  }

  bool isStale(uint64_t CompiledRealtimeNs) const {
    return OnDisk.empty() || ModifiedNs > CompiledRealtimeNs;
  }
  /// Where a line is now that was compiled; 0: nowhere.
  uint32_t lineNow(uint32_t Compiled, bool IsStale) const;

private:
  std::string Path;
  std::vector<std::string> Lines, OnDisk;
  bool HasMark = false; ///< editors keep a byte order mark, or do not
  size_t TextBytes = 0, DiskBytes = 0;
  uint64_t ModifiedNs = 0; ///< of the file, since 1970; 0: it is not there
  mutable std::optional<std::vector<uint32_t>> Moved;
};

} // namespace instantrace
