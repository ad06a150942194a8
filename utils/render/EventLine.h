/// \file
/// One event as a line: text for people and FileCheck, or a JSON object.
///
/// Flow:   dump -> [EventLine] -> Output
/// Leaves: which events are shown and how deep they are
#pragma once

#include "runtime/read/Trace.h"
#include "utils/render/TextTable.h"

#include <string>

namespace instantrace {

class JsonObject;

/// What begin, end, instant and count lines have in common.
struct EventLine {
  const char *Event = "";
  EventKind Kind{};
  EntityId Entity;
  LocationId Location;
  uint64_t TimeNs = 0;
  uint64_t Depth = 0;
};

/// Of an end only.
struct EndDetails {
  uint64_t AstBytes = 0;    // with the intervals inside
  uint64_t OwnAstBytes = 0; // without
  uint64_t Memoized = 0;
  uint64_t ElidedCount = 0;
  uint64_t ElidedNs = 0;
  bool Definition = false;
};

/// Lines of one sequence. The sequence must outlive the object.
class EventLines {
public:
  /// \p Style is that of text; JSON has the default arguments as well.
  /// A longer name is cut at its end, a longer path at its begin.
  EventLines(const Sequence &S, const NameStyle &Style, size_t NameLimitBytes,
             size_t PathLimitBytes, bool ShowTimes)
      : S(S), Style(Style), NameLimitBytes(NameLimitBytes),
        PathLimitBytes(PathLimitBytes), ShowTimes(ShowTimes) {}

  /// Requester: null if nobody asked for it. Each appends a whole line.
  void textBegin(std::string &Out, const EventLine &Line,
                 const Interval *Requester, bool IsOpen);
  void textEnd(std::string &Out, const EventLine &Line,
               const EndDetails &Details);
  void textInstant(std::string &Out, const EventLine &Line);
  void textCount(std::string &Out, const EventLine &Line, uint64_t Count);
  void textFunction(std::string &Out, const Function &F);

  void jsonBegin(std::string &Out, const EventLine &Line,
                 const Interval *Requester, bool IsOpen);
  void jsonEnd(std::string &Out, const EventLine &Line,
               const EndDetails &Details);
  void jsonInstant(std::string &Out, const EventLine &Line);
  void jsonCount(std::string &Out, const EventLine &Line, uint64_t Count);
  void jsonFunction(std::string &Out, const Function &F);

private:
  void textHead(std::string &Out, const EventLine &Line);
  void jsonHead(JsonObject &Object, std::string &Out, const EventLine &Line);
  void jsonPlace(JsonObject &Object, LocationId Id);
  void jsonDeclared(JsonObject &Object, std::string &Out, EntityId Id);
  void jsonDetail(JsonObject &Object, const LocationDetail &D);
  std::string path(NameId File) const;
  void appendLocation(std::string &Out, LocationId Id, bool WithColumn);
  /// What the location has beyond file, line and column.
  void appendDetail(std::string &Out, LocationId Id);

  const Sequence &S;
  NameStyle Style;
  size_t NameLimitBytes, PathLimitBytes;
  bool ShowTimes;
  TextStyles Styles{standardOutputTerminal()};
};

/// The name: empty for no entity, "<entity 17>" for one without a name,
/// which an interrupted compile leaves.
std::string entityText(const Sequence &S, EntityId Id, const NameStyle &Style,
                       size_t LimitBytes);

} // namespace instantrace
