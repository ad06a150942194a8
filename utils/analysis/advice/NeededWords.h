/// \file
/// What is below an umbrella header, and which files of it have what others
/// mention.
///
/// Flow:  HeaderFacts -> [UmbrellaContents, NeededWords] -> NarrowInclude
/// Lives: as long as the HeaderFacts whose scans it points to
#pragma once

#include "utils/analysis/advice/HeaderFacts.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instantrace {

struct UmbrellaPart {
  FileNumber File;
  FileSet Below;
  uint64_t Ns = 0; ///< of all files below it, each as it is on average
};

struct UmbrellaContents {
  struct Declaring {
    FileNumber File;
    const SourceScan::Declaration *What;
  };

  FileSet Below;
  std::vector<UmbrellaPart> Parts; ///< cheapest first
  std::unordered_map<uint32_t, std::vector<Declaring>> ByWord; ///< below it
  std::vector<Declaring> Operators; ///< of the program, below it

  /// The part that has \p File below it; null: none has.
  const UmbrellaPart *cheapest(FileNumber File) const;
  /// Fills ByWord and Operators, which lose what they had.
  void indexWords(HeaderFacts &H);
};

class NeededWords {
public:
  NeededWords(HeaderFacts &H, const UmbrellaContents &Umbrella)
      : H(H), Umbrella(Umbrella) {}

  /// A file of the program that stays.
  void add(FileNumber File);
  /// Files that have what is mentioned, of those that are not in \p Reached.
  std::vector<FileNumber> wanted(const FileSet &Reached) const;

private:
  using Declaring = UmbrellaContents::Declaring;
  /// How a word is asked for: as a type alone, or with a namespace before it.
  enum : uint16_t {
    PlainType = 1,
    NamedType = 2,
    Plain = 4,
    Named = 8,
    Std = 16
  };
  /// Bits higher, where a declaration is enough.
  static constexpr int ByName = 8;

  void ask(uint32_t Word, uint16_t How, bool IsByName);
  void askForParts(const Declaring &D, uint32_t Word, uint16_t How);
  bool isMeant(const Declaring &D, uint16_t How) const;
  void addWanted(const std::vector<Declaring> &All, uint16_t How,
                 const FileSet &Reached, std::vector<FileNumber> &Wanted) const;
  bool hasAskedType(const Declaring &D) const;

  HeaderFacts &H;
  const UmbrellaContents &Umbrella;
  std::map<uint32_t, uint16_t> Asked; ///< in one order
  std::vector<std::pair<uint32_t, uint16_t>> Open;
};

} // namespace instantrace
