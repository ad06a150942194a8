/// \file
/// Reads trace files into the model, and trusts nothing in them.
///
/// Flow:   bytes -> TraceScan -> [TraceReader] -> SequenceDecoder -> Trace
///                                                               -> EventSink
/// Layout: proto/trace.proto, proto/FORMAT.md
/// Errors: never fails as a whole: what precedes the first damage is in the
///         model, and the damage is in TraceInput::Issues. A reader that only
///         shows a trace looks at TraceInput::damage(); verify at all issues
/// Leaves: opening files
///
/// Memory is proportional to the bytes read, whatever they say; where events
/// are streamed, to what is read besides them.
#pragma once

#include "runtime/read/EventSink.h"
#include "runtime/read/LookAhead.h"
#include "runtime/read/Trace.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

/// Called now and then with the number of bytes that are done.
using ByteProgress = std::function<void(uint64_t)>;

/// Appends one TraceInput and its sequences. Bytes need not outlive the call.
void readTrace(std::string_view Bytes, std::string Name, Trace &Into,
               const ByteProgress &AtByte = {});

/// Who takes events while a trace is read. Of each sequence all come before
/// those of the next.
class TraceSink {
public:
  virtual ~TraceSink() = default;
  /// As TraceInput::Name.
  virtual void beginTrace(const std::string &) {}
  /// False: tables are all that is wanted.
  virtual bool wantsEvents() const { return true; }
  /// What has to be filled before beginSequence(); null: nothing.
  virtual LookAhead *lookAhead() { return nullptr; }
  /// \p Index is that of the sequence in Trace::Sequences, all of which have
  /// their tables and footers by then.
  /// What it gives lives until endSequence().
  virtual EventSink &beginSequence(uint32_t Index) = 0;
  /// The sequence has its counts of events, and may be changed.
  virtual void endSequence(Sequence &S) = 0;
};

/// For who needs no events.
class NoEvents : public TraceSink, EventSink {
public:
  bool wantsEvents() const override { return false; }
  EventSink &beginSequence(uint32_t) override { return *this; }
  void endSequence(Sequence &) override {}

private:
  void begin(IntervalId, const Interval &) override {}
  void end(IntervalId, const Interval &, const ElidedLeaves &) override {}
  void instant(const Instant &) override {}
};

class TraceBytes;

/// As readTrace(), but intervals and instants go to \p Events and are in no
/// sequence; what `verify` alone shows is not looked for.
void streamTrace(TraceBytes &Bytes, uint64_t SizeBytes, std::string Name,
                 Trace &Into, TraceSink &Events,
                 const ByteProgress &AtByte = {});

/// Walks over the packets of a file without looking into them.
///
/// Used by readTrace() and by what passes packets on unread.
class PacketFraming {
public:
  /// Bytes must outlive the object.
  explicit PacketFraming(std::string_view Bytes) : Rest(Bytes) {}
  /// Reads up to so many bytes to there; 0: there are no more.
  using ReadMore = std::function<size_t(char *Into, size_t MostBytes)>;
  /// Has one packet at a time in memory.
  explicit PacketFraming(ReadMore More) : More(std::move(More)) {}

  /// The bytes of the next packet, a view into those of the constructor or, of
  /// bytes that are read, one until the next call; none at the end and at the
  /// first damage, which issue() tells apart.
  std::optional<std::string_view> next();

  uint64_t packetNo() const { return PacketNo; } // of the last one, from 1
  uint64_t offsetBytes() const { return OffsetBytes; } // of its frame
  uint64_t endBytes() const { return NextBytes; }      // behind it
  const std::optional<TraceIssue> &issue() const { return Issue; }

private:
  std::optional<std::string_view>
  damaged(std::string_view Invariant, std::string Found, std::string Expected);

  void fill(uint64_t Wanted);

  std::string_view Rest; // not yet given
  ReadMore More;
  std::string Window; // what Rest is of, if it is read
  uint64_t NextBytes = 0;
  uint64_t OffsetBytes = 0;
  uint64_t PacketNo = 0;
  std::optional<TraceIssue> Issue;
};

/// The checksum field, the last of a packet: tag and 32 bits.
inline constexpr size_t ChecksumFieldBytes = 5;
/// Over the bytes of a packet that precede the field.
uint32_t packetChecksum(std::string_view PacketWithoutChecksum);

} // namespace instantrace
