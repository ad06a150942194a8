/// \file
/// What the formats call an interval: one frame per name and kind of work.
///
/// Flow:   Sequence, Interval -> [ExportFrames] -> formats with a name table
///
/// A frame is found by the key of its name, so that equal names of several
/// traces are one frame, and its text is built once, when it is first needed.
/// Names that differ may have one text, as without arguments: frames with the
/// same text, kind and place are one. A text that is cut ends in `…` and a hash
/// of the whole name: viewers merge what has one text, and two long names may
/// well begin alike.
#pragma once

#include "runtime/base/Hash.h"
#include "runtime/base/KeyNumbers.h"
#include "runtime/read/Trace.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// Of kinds that are no kind of event.
inline constexpr std::string_view FoldedFrame = "(folded)";
inline constexpr std::string_view ElidedFrame = "(elided)";

struct ExportFrame {
  std::string Name;      // clean (CleanText.h)
  std::string_view Kind; // of event; empty: an input, a fold, elided leaves
  uint32_t File = 0;     // where the entity is declared, else instantiated
  uint32_t LineNo = 0;
};

class ExportFrames {
public:
  /// What a frame's name says beyond the name of its entity: the kind of work
  /// and that it is unfinished, for formats with nothing but names; or nothing.
  enum class Says { NameAndKind, NameOnly };

  ExportFrames(const Trace &T, const NameStyle &Style, size_t NameLimitBytes,
               Says What)
      : T(T), Style(Style), NameLimitBytes(NameLimitBytes), What(What) {}

  /// Call before of() and with every new sequence.
  void enterSequence(size_t Index);
  uint32_t frameFor(const Interval &I) {
    return frameFor(I.Kind, I.Entity, I.Location,
                    What == Says::NameAndKind && I.Open);
  }
  uint32_t frameFor(const Instant &I) {
    return frameFor(I.Kind, I.Entity, I.Location, false);
  }
  /// Of the input of the sequence, as root of its intervals.
  uint32_t ofInput();
  uint32_t fixed(std::string_view Name);

  const ExportFrame &operator[](uint32_t Frame) const { return Frames[Frame]; }
  uint32_t size() const { return static_cast<uint32_t>(Frames.size()); }

  /// The number of a path, the same in all sequences; 0: no path.
  uint32_t file(NameId Path);
  /// Clean; empty for 0. Valid as long as the object.
  std::string_view fileName(uint32_t File) const { return Files[File]; }
  uint32_t fileCount() const { return static_cast<uint32_t>(Files.size()); }

private:
  struct Key {
    NameKey Name;
    uint32_t KindAndState;
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct KeyHash {
    size_t operator()(const Key &K) const {
      return K.Name.Hash * 0x9E3779B97F4A7C15u ^ K.KindAndState;
    }
  };
  uint32_t frameFor(EventKind Kind, EntityId Entity, LocationId Location,
                    bool Unfinished);
  uint32_t add(const Key &K, ExportFrame Frame);
  ExportFrame make(EventKind Kind, EntityId Entity, LocationId Location,
                   bool Unfinished);
  std::string name(EventKind Kind, EntityId Entity) const;

  const Trace &T;
  NameStyle Style;
  size_t NameLimitBytes;
  Says What;
  const Sequence *S = nullptr;
  size_t SequenceIndex = 0;
  std::deque<ExportFrame> Frames; // deques: views of texts stay valid
  std::unordered_map<Key, uint32_t, KeyHash> ByKey;
  std::map<std::tuple<uint64_t, uint64_t, std::string_view, uint32_t, uint32_t>,
           uint32_t>
      ByContent; // text, kind, file and line
  // Of this sequence, by entity, kind and state:
  KeyNumbers<uint64_t, PairHash> OfEntity;
  std::vector<uint32_t> FrameOfEntity; // by number there
  std::deque<std::string> Files = {{}};
  std::unordered_map<std::string, uint32_t> FileByName;
  std::unordered_map<uint32_t, uint32_t> FileOfPath; // of this sequence
};

/// What a trace is of: the input that its session names, else the trace's name.
std::string inputText(const Trace &T, const Sequence &S);

} // namespace instantrace
