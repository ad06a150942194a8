/// \file
/// A compile without a compiler: records into a real TraceBuffer, and may stop
/// anywhere.
///
/// Flow: a test -> [LeftoverBuilder] -> TraceBuffer => buffer, partial trace
#pragma once

#include "runtime/base/Varint.h"
#include "runtime/format/EventChunk.h"
#include "runtime/format/EventKind.h"
#include "runtime/format/Record.h"
#include "runtime/record/TraceBuffer.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace instantrace::test {

inline std::string contentOf(const std::string &Path) {
  // Not by iterators: tests look at a buffer of a megabyte thousands of times.
  std::ifstream File(Path, std::ios::binary | std::ios::ate);
  std::string Bytes(File ? static_cast<size_t>(File.tellg()) : 0, '\0');
  File.seekg(0);
  File.read(Bytes.data(), static_cast<std::streamsize>(Bytes.size()));
  return Bytes;
}

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): there is one
class LeftoverBuilder {
public:
  /// \p FinalPath as the plugin has it, such as "DIR/a.itrace".
  explicit LeftoverBuilder(const std::string &FinalPath,
                           const TraceBufferOptions &Options = smallBuffer())
      : Buffer(FinalPath, Options, SessionBytes), Writer(Buffer, SequenceId) {}

  static TraceBufferOptions smallBuffer() {
    TraceBufferOptions Options;
    Options.SizeBytes = size_t(16) * 1024;
    return Options;
  }

  /// Nothing may be recorded before.
  void start(const std::string &Input = "a.cpp") {
    SessionInfo Session;
    Session.ClangVersion = "clang version 19.1.0";
    Session.Input = Before + Input;
    Session.WorkingDirectory = "/src" + Before;
    Session.Pid = static_cast<uint32_t>(::getpid());
    Session.MonotonicNs = MonotonicNs;
    Session.RealtimeNs = 1'000'000'000;
    std::string Packets;
    StringSink Sink(Packets);
    TraceWriter(Sink, SequenceId).writeHeader(Session);
    Buffer.start({SequenceId, Session.RealtimeNs, MonotonicNs, Packets});
  }

  /// Begins an interval about a new entity at a new location.
  void beginNew(EventKind Kind = EventKind::TemplateInstantiation,
                uint64_t AfterNs = 10) {
    record(static_cast<uint64_t>(Kind) << RecordOpBits, AfterNs, 1, 1);
    ++State.Interval;
    ++State.Depth;
    ++State.Entity;
    ++State.Location;
  }
  /// The same about the entity that was new \p Back entities ago.
  void beginAgain(uint32_t Back = 0, uint64_t AfterNs = 10) {
    record(static_cast<uint64_t>(EventKind::TemplateInstantiation)
               << RecordOpBits,
           AfterNs, 2 + 2 * (Back), 2 + Back);
    ++State.Interval;
    ++State.Depth;
  }
  void end(uint64_t AfterNs = 10) {
    uint8_t *Out = reserve();
    if (!Out)
      return;
    Out = writeVarint(Out, static_cast<uint64_t>(RecordOp::End));
    Buffer.events().commit(writeVarint(Out, AfterNs));
    State.TimeNs += AfterNs;
    --State.Depth;
    ++Events;
  }

  /// Names all entities met so far that have no name, and their locations.
  void writeNames() {
    std::vector<EntityRow> Rows;
    std::vector<LocationRow> Locations;
    NameId File = intern("a.cpp");
    for (uint32_t Id = Named + 1; Id != State.Entity; ++Id) {
      NameId Name = intern("Box<" + std::to_string(Id) + ">");
      NameId Set = intern("Box<$>");
      Rows.push_back({Name, Set, 0, EntityKind::Class, 0});
      Locations.push_back({File, Id, 3});
    }
    Writer.writeDictionary(Strings);
    Writer.writeEntities(Named + 1, Rows);
    Writer.writeLocations(Named + 1, {Locations, {}});
    Named = State.Entity - 1;
  }
  void writeFooter() {
    FooterInfo Footer;
    Footer.EndTimeNs = State.TimeNs;
    Footer.EventsRecorded = Events;
    Writer.writeFooter(Footer);
  }

  /// \p Count intervals one after the other, in a Frontend that stays open.
  void compile(unsigned Count) {
    beginNew(EventKind::Frontend);
    for (unsigned I = 0; I != Count; ++I) {
      beginNew();
      if (I % 3 == 0) {
        beginAgain();
        end();
      }
      end();
      if (I % 16 == 15)
        writeNames();
    }
  }

  std::string bufferPath() const { return Buffer.leftoverPath(); }
  std::string partialPath() const { return Buffer.file().partialPath(); }
  /// As a reader would find them now.
  std::string image() const { return contentOf(bufferPath()); }
  std::string partial() const { return contentOf(partialPath()); }

  static constexpr uint32_t SequenceId = 7;
  static constexpr size_t SessionBytes = 512;
  uint64_t MonotonicNs = 5'000'000'000;
  TraceBuffer Buffer;
  TraceWriter Writer;
  StringTable Strings;
  BatchStart State;
  uint64_t Events = 0;
  uint32_t Named = 0;
  std::string Before; ///< begins every name

private:
  NameId intern(const std::string &Text) {
    return Strings.ordinal(Strings.intern(Before + Text));
  }
  uint8_t *reserve() {
    uint8_t *Out = Buffer.events().reserve();
    return Out && Buffer.events().isAtChunkStart()
               ? writeEventChunkStart(Out, State)
               : Out;
  }
  void record(uint64_t Head, uint64_t AfterNs, uint64_t Entity,
              uint64_t Location) {
    uint8_t *Out = reserve();
    if (!Out)
      return;
    for (uint64_t Value : {Head, AfterNs, Entity, Location})
      Out = writeVarint(Out, Value);
    Buffer.events().commit(Out);
    State.TimeNs += AfterNs;
    ++Events;
  }
};

} // namespace instantrace::test
