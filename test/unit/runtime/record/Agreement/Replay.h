/// \file
/// A second reader of traces, by libprotobuf and the text of FORMAT.md alone.
///
/// Flow:   bytes -> libprotobuf -> [Replay] -> Compare <- Trace <- TraceReader
/// Layout: proto/trace.proto, proto/FORMAT.md
/// Errors: what() of an exception; it is a test, and a trace is expected valid
/// Leaves: hostile input, speed, several sequences at a time (one per id)
///
/// It shares no code with runtime/: that both read the same is the test.
#pragma once

#include "proto/trace.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace instantrace::test {

struct ReplayedInterval {
  uint64_t BeginNs = 0, EndNs = 0, AstBytes = 0, Memoized = 0;
  uint64_t ElidedCount = 0, ElidedNs = 0;
  uint64_t Kind = 0, Entity = 0, Location = 0;
  int64_t Parent = -1, Requester = -1;
  bool IsOpen = true, IsDefinition = false;
};

struct ReplayedInstant {
  uint64_t TimeNs = 0, Kind = 0, Entity = 0, Location = 0, BegunBefore = 0;
  int64_t Parent = -1;
};

struct ReplayedFunction {
  uint64_t Entity, Owner, NameHash, Linkage, IrInstructions;
  uint64_t MachineInstructions = 0, ObjectBytes = 0;
};

struct ReplayedMemory {
  uint64_t Interval, Depth, PeakRssBytes;
};

/// One sequence of the file.
struct Replay {
  uint32_t Id = 0;
  proto::FileHeader Header;
  proto::Session Session;
  proto::Footer Footer;
  bool HasFooter = false;
  std::vector<proto::DictionaryEntry> Names; ///< of id 1, 2, ...
  std::vector<uint64_t> NameSizesBytes;      ///< expanded
  struct Location {
    uint64_t File = 0, Line = 0, Column = 0;
  };
  struct LocationTable {
    std::vector<Location> Rows;
    /// By number of the location, from 1.
    std::map<uint64_t, proto::LocationDetail> Details;
  };
  LocationTable Locations, DeclarationLocations;
  struct Inclusion {
    uint64_t Path = 0, Includer = 0, Line = 0, Column = 0;
    bool IsSystem = false;
  };
  std::vector<Inclusion> Inclusions;
  struct Entity {
    uint64_t Name = 0, TemplateSet = 0, DeclaredAt = 0, Kind = 0;
    uint64_t Declaration = 0;
  };
  std::vector<Entity> Entities;
  std::vector<std::pair<uint64_t, uint64_t>> Memoized; ///< entity, hits
  std::vector<ReplayedMemory> Memory;
  std::vector<ReplayedFunction> Functions;
  std::vector<ReplayedInterval> Intervals;
  std::vector<ReplayedInstant> Instants;
  uint64_t EventCount = 0;

  /// The expanded text of a name. Requires: NameSizesBytes says it fits.
  std::string text(uint64_t NameId) const;
};

/// In the order of the sequences' first packets.
std::vector<Replay> replay(const proto::Trace &Trace);

} // namespace instantrace::test
