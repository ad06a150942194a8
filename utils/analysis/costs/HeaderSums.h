/// \file
/// What the compiles of a build spend on each file that they read.
///
/// Flow:    events -> [HeaderSink] -> [HeaderSums], sums of others
///          -> HeaderTable
/// Leaves:  ranking, names for people, and what goes with a header alone
/// Threads: one for each; one adds them up
/// Memory:  files, their ways to each other, and of each compile a number for
///          each file that it reads; open and requested intervals
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/CostFeed.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/RequestedFrames.h"
#include "utils/analysis/view/TraceFilter.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instantrace {

/// Of an #include, of a file in another one, or of a template.
struct HeaderPartSums {
  uint64_t Count = 0;
  uint64_t Units = 0;
  uint64_t InclusiveNs = 0;
  uint64_t LastUnit = 0; ///< that was counted, from 1

  void add(uint64_t Unit, uint64_t Ns);
  void add(const HeaderPartSums &More);
};

class HeaderSums {
public:
  using FileNumber = uint32_t;
  static constexpr FileNumber NoFile = UINT32_MAX;

  struct Template {
    std::string Name;
    HeaderPartSums Sums;
  };
  struct File {
    std::string Path; ///< normal
    bool IsSystem = false;
    bool IsDetailed = false;
    bool IsSelected = false;     ///< by the filter; main files never are
    uint64_t InclusiveNs = 0;    ///< of the outermost
    uint64_t OwnNs = 0;          ///< its text, with the constants in it
    uint64_t IncludedNs = 0;     ///< of the outermost
    uint64_t InstantiatedNs = 0; ///< self times, with late bodies
    HeaderPartSums Readings;
    /// By the file and the line of the #include.
    std::map<std::pair<FileNumber, uint32_t>, HeaderPartSums> Includers;
    std::map<FileNumber, HeaderPartSums> Includes;
    /// That its text asked for, if the file is detailed.
    std::unordered_map<NameKey, Template, NameKeyHash> Templates;
  };
  struct Compile {
    std::vector<FileNumber> Mains;
    /// Each file once, with the time that is not of files that it includes.
    std::vector<std::pair<FileNumber, uint64_t>> Read;
  };

  /// Templates are counted for files that are within \p Detailed, a normal
  /// path, if any.
  explicit HeaderSums(std::string Detailed = {})
      : Detailed(std::move(Detailed)) {}

  /// Of other traces, with the same file detailed.
  void add(const HeaderSums &More);

  const std::vector<File> &files() const { return Files; }
  const std::vector<Compile> &compiles() const { return Compiles; }
  uint64_t totalNs() const { return TotalNs; } ///< without our own work
  uint64_t readNs() const { return ReadNs; }   ///< while a file was read
  uint64_t mainNs() const { return MainNs; }   ///< parsing main files alone

private:
  friend class HeaderSink;
  FileNumber fileOf(std::string Normal);

  std::string Detailed;
  std::unordered_map<std::string, FileNumber> Numbers;
  std::vector<File> Files;
  std::vector<Compile> Compiles;
  uint64_t TotalNs = 0, ReadNs = 0, MainNs = 0;
};

class HeaderSink final : public TraceSink, EventSink {
public:
  /// Both must outlive it. \p T is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// \p Filter is copied. \p Detailed is that of HeaderSums.
  HeaderSink(const Trace &T, std::string Detailed, const TraceFilter &Filter,
             IntervalListener *Other = nullptr)
      : Sums(std::move(Detailed)), T(T), Filter(Filter), Other(Other) {}

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override;

  HeaderSums Sums; ///< without anything of the trace

private:
  using FileNumber = HeaderSums::FileNumber;
  static constexpr FileNumber NoFile = HeaderSums::NoFile;

  /// What an interval says to those that it asks for.
  struct Frame {
    EventKind Kind;
    FileNumber Asker = NoFile; ///< in whose text it began, if template work
  };
  struct OpenInterval : Frame {
    bool IsReading = false;
    bool IsInside = false; ///< template work
  };
  /// A file that is read.
  struct Reading {
    FileNumber File;
    bool IsMain;
    bool IsOutermost;       ///< of those of its file
    uint64_t InsideNs = 0;  ///< of what it includes
    uint64_t OutsideNs = 0; ///< in it, for what was left before
  };

  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &) override {}
  FileNumber fileOf(NameId Path);
  void enterTemplateWork(OpenInterval &O, const Interval &I);
  void enterFile(OpenInterval &O, const Interval &I);
  void addTemplateWork(const OpenInterval &O, const Interval &I,
                       const OpenTimes::Ended &Ns);
  void addLineWork(const Interval &I, uint64_t SelfNs);
  void moveOutside(NameId Path, uint64_t Ns);
  void addReading(const Interval &I, const OpenTimes::Ended &Ns);

  const Trace &T;
  TraceFilter Filter;
  IntervalListener *Other;
  // Of this sequence:
  const Sequence *S = nullptr;
  uint64_t Unit = 0;
  LookAhead Ahead;
  RequestedFrames<Frame> Requested;
  OpenTimes Times;
  std::vector<OpenInterval> Open;
  std::vector<Reading> Readings; ///< open ones, outermost first
  std::unordered_map<FileNumber, uint32_t> OpenCount;
  std::unordered_map<uint32_t, FileNumber> Known; ///< by the name of a path
  std::vector<FileNumber> Mains;
  std::map<FileNumber, uint64_t> ReadNs;
};

} // namespace instantrace
