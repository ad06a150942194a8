#include "utils/session/SessionMerging.h"

#include "runtime/base/SaturatingSum.h"
#include "runtime/record/TraceFile.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/Leftovers.h"
#include "utils/open/TraceInputs.h"
#include "utils/session/RecordedSession.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SessionParsing.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/HoleWatch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// In the order in which members are written.
using OrderedJson = nlohmann::ordered_json;

struct Part {
  std::string Folder;
  std::vector<std::string> Traces; ///< paths
  OrderedJson Facts;
};

/// What sessions say is UTF-8, or has been refused with them; a file's name
/// need not be, and has U+FFFD then.
std::string textOf(const OrderedJson &Whole) {
  return Whole.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

/// More than is read of it would be lost.
Result<void> writeWhole(const std::string &Into, const OrderedJson &Whole) {
  std::string Text = textOf(Whole);
  if (Text.size() > LongestSessionBytes)
    return makeError(Into + "/session.json", "more than 16 MiB",
                     "what says what was built");
  if (!isSessionShaped(Text))
    return makeError(Into + "/session.json",
                     "more levels or members than a session has",
                     "what instantrace record writes");
  return writeSessionJson(Into, Text);
}

/// Without the ending that compressing adds.
std::string plainName(std::string_view Path) {
  std::string Name = fs::path(Path).filename().string();
  if (hasTraceName(Name) && Name.ends_with(CompressedEnding))
    Name.resize(Name.size() - CompressedEnding.size());
  return Name;
}

/// In no file's name but one: \p Name, or it with a number. Of a.itrace and
/// a.itrace.zst in one folder only the first would count. \p Taken are plain.
std::string freeName(const std::string &Name,
                     std::unordered_set<std::string> &Taken) {
  size_t Ending = Name.rfind(TraceEnding);
  std::string Free = Name;
  for (uint64_t No = 2; !Taken.insert(plainName(Free)).second; ++No)
    Free =
        Name.substr(0, Ending) + "-" + std::to_string(No) + Name.substr(Ending);
  return Free;
}

/// A name of a trace that is not there, and that no other file gets: the unit
/// would have the trace of another one.
std::string absentName(std::string Plain,
                       std::unordered_set<std::string> &Taken) {
  if (!hasTraceName(Plain))
    Plain += TraceEnding; // anybody may have written what was its name
  return freeName(Plain, Taken);
}

/// What a session names is there, and not in a folder of that.
bool isDirectlyIn(const std::string &Folder, const fs::path &Path) {
  return fs::path(Folder) / Path.filename() == Path;
}

Result<Part> readPart(const std::string &Folder, InputObserver *Seen) {
  INSTANTRACE_TRY_ASSIGN(std::string Text, readSessionText(Folder));
  INSTANTRACE_TRY_ASSIGN(RecordedSession Session, parseSession(Text, Folder));
  Part Read{Folder, {}, OrderedJson::parse(Text, nullptr, false)};
  if (isRunning(Session, Folder))
    return makeError(Folder, "a session whose build runs",
                     "one that has ended");
  // What it says of its traces is no name of a file to us.
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Found,
                         tracesOfSession(Folder, Seen));
  std::copy_if(Found.begin(), Found.end(), std::back_inserter(Read.Traces),
               [](const std::string &Path) { return hasTraceName(Path); });
  return Read;
}

/// Anybody may have made the session: a file in it that is a link, or no
/// trace, may be one that its maker cannot read. ELOOP and EINVAL in errno say
/// that it is such a one.
FileDescriptor openTraceIn(const std::string &Folder, const std::string &Path) {
  Result<FileDescriptor> R = openFolderOf(Path, Folder);
  if (!R)
    return {};
  FileDescriptor File = openRegularFile(fs::path(Path).filename().string(),
                                        FinalLink::Refused, R->get());
  if (!File || isTraceFile(File))
    return File;
  errno = EINVAL;
  return {};
}

class Merging {
public:
  Merging(const SessionFolder &Into, InputObserver &Seen)
      : Into(Into), Seen(Seen) {}

  Result<void> add(Part P) {
    std::unordered_map<std::string, std::string> NewName; ///< by plain name
    for (const std::string &Path : P.Traces) {
      Seen.enter(Path);
      FileDescriptor File = openTraceIn(P.Folder, Path);
      if (!File && (errno == ELOOP || errno == EINVAL)) {
        Seen.warn(Path + (errno == ELOOP ? ": a link" : ": not a trace") +
                  ", which is left out");
        continue;
      }
      if (!File)
        return systemError(Path);
      std::string Name = freeName(fs::path(Path).filename().string(), Taken);
      INSTANTRACE_TRY(copy(File, Path, Name));
      if (isDirectlyIn(P.Folder, Path))
        NewName.emplace(plainName(Path), Name);
    }
    addFacts(P.Facts, NewName);
    ++Done.Sessions;
    return {};
  }

  Result<MergedSession> finish() {
    Whole["sessions"] = std::move(Sessions);
    Whole["problems"] = std::move(Problems);
    Whole["units"] = std::move(Units);
    INSTANTRACE_TRY(writeWhole(Into.path(), Whole));
    return Done;
  }

  /// What was made is gone.
  void undo() {
    for (const std::string &Name : Names) {
      std::error_code Failed;
      fs::remove(Into.path() + "/" + Name, Failed);
    }
    Into.undo();
  }

private:
  Result<void> copy(const FileDescriptor &Descriptor, const std::string &Path,
                    const std::string &Name) {
    struct stat Status;
    if (::fstat(Descriptor.get(), &Status) != 0)
      return systemError(Path);
    TraceFile File(Into.path() + "/" + Name);
    std::string Piece(HoleWatch::PieceBytes, '\0');
    HoleWatch Holes;
    while (true) {
      ssize_t Got = ::read(Descriptor.get(), Piece.data(), Piece.size());
      if (Got < 0 && errno == EINTR)
        continue;
      if (Got < 0)
        return systemError(Path);
      if (Got == 0)
        break;
      std::string_view Read(Piece.data(), static_cast<size_t>(Got));
      if (!Holes.goesOn(Read))
        return makeError(Path, "a hole of zeros",
                         "a trace, which has packets to its end");
      if (!File.append(Read))
        return Error{File.error()};
      Done.Bytes += static_cast<size_t>(Got);
      Seen.at(Done.Bytes);
    }
    File.setMode(Status.st_mode);
    if (!File.commitAsNew())
      return Error{File.path() + ": " + systemMessage(EEXIST)};
    if (!File.error().empty())
      return Error{File.error()};
    Names.push_back(Name);
    ++Done.Traces;
    return {};
  }

  void addFacts(OrderedJson &Facts,
                std::unordered_map<std::string, std::string> &NewName) {
    if (Whole.is_null())
      for (const char *Name : {"format", "version", "tool", "state", "command",
                               "working_directory", "begun",
                               "begun_realtime_ns", "git", "machine"})
        if (Facts.contains(Name))
          Whole[Name] = Facts[Name];
    const OrderedJson State = Facts.value("state", OrderedJson());
    // One whose `record` was killed says that it runs.
    if (State == "interrupted" || State == "running")
      Whole["state"] = "interrupted";
    // What two sessions do not agree in is said of neither.
    for (const char *Name : {"git", "machine"})
      if (Whole.contains(Name) &&
          Whole[Name] != Facts.value(Name, OrderedJson()))
        Whole.erase(Name);
    for (const char *Name :
         {"wall_ns", "user_ns", "system_ns", "compiled_again"})
      addNumber(Whole, Facts, Name);
    for (const char *Name : {"exit_code", "signal"})
      if (!Whole.contains(Name) || Whole[Name] == 0)
        Whole[Name] = Facts.value(Name, OrderedJson(0));
    addMissing(Facts);
    append(Problems, Facts, "problems");
    if (Facts.contains("units") && Facts["units"].is_array())
      for (OrderedJson &Unit : Facts["units"]) {
        if (Unit.is_object() &&
            Unit.value("trace", OrderedJson()).is_string()) {
          std::string Name = plainName(Unit["trace"].get<std::string>());
          auto [Entry, IsAbsent] = NewName.try_emplace(Name);
          if (IsAbsent)
            Entry->second = absentName(Name, Taken);
          Unit["trace"] = Entry->second;
        }
        Units.push_back(std::move(Unit));
      }
    Facts.erase("units");
    // Of a session that was merged itself, the parts.
    if (Facts.contains("sessions") && Facts["sessions"].is_array())
      append(Sessions, Facts, "sessions");
    else
      Sessions.push_back(std::move(Facts));
  }

  void addMissing(const OrderedJson &Facts) {
    OrderedJson &Sums = Whole["not_profiled"];
    if (Sums.is_null())
      Sums = OrderedJson::object();
    const OrderedJson Missing = Facts.value("not_profiled", OrderedJson());
    if (!Missing.is_object())
      return;
    for (const auto &[Program, Use] : Missing.items()) {
      if (!Use.is_object())
        continue;
      for (const char *Name : {"count", "unattributed", "runs", "hits"})
        if (Use.contains(Name))
          addNumber(Sums[Program], Use, Name);
      append(Sums[Program]["sources"], Use, "sources");
    }
  }

  static void addNumber(OrderedJson &Json, const OrderedJson &Other,
                        const char *Name) {
    auto Number = [Name](const OrderedJson &Source) {
      const OrderedJson Found = Source.is_object()
                                    ? Source.value(Name, OrderedJson())
                                    : OrderedJson();
      return Found.is_number_unsigned() ? Found.get<uint64_t>() : 0;
    };
    Json[Name] = addSaturating(Number(Json), Number(Other));
  }

  static void append(OrderedJson &Json, const OrderedJson &Other,
                     const char *Name) {
    if (Json.is_null())
      Json = OrderedJson::array();
    const OrderedJson More = Other.value(Name, OrderedJson());
    if (More.is_array())
      Json.insert(Json.end(), More.begin(), More.end());
  }

  const SessionFolder &Into;
  InputObserver &Seen;
  MergedSession Done;
  std::vector<std::string> Names;        ///< of files that were made
  std::unordered_set<std::string> Taken; ///< plain
  OrderedJson Whole;
  OrderedJson Sessions = OrderedJson::array(), Problems = OrderedJson::array(),
              Units = OrderedJson::array();
};

} // namespace

Result<MergedSession>
instantrace::mergeSessions(const std::vector<std::string> &Folders,
                           const std::string &Into, InputObserver &Seen) {
  std::vector<Part> Parts;
  std::vector<std::string> Traces;
  std::unordered_set<std::string> Known; // canonical
  for (const std::string &Folder : Folders) {
    INSTANTRACE_TRY_ASSIGN(Part Read, readPart(Folder, &Seen));
    std::error_code Failed;
    std::string Real = fs::canonical(Folder, Failed).string();
    if (!Known.insert(Failed ? Folder : Real).second) {
      Seen.warn(Folder + ": given more than once, and counted once");
      continue;
    }
    Traces.insert(Traces.end(), Read.Traces.begin(), Read.Traces.end());
    Parts.push_back(std::move(Read));
  }
  Seen.begin(totalBytes(Traces));
  INSTANTRACE_TRY_ASSIGN(SessionFolder Made, SessionFolder::make(Into));
  Merging Work(Made, Seen);
  auto Merge = [&]() -> Result<MergedSession> {
    for (Part &P : Parts)
      INSTANTRACE_TRY(Work.add(std::move(P)));
    return Work.finish();
  };
  try {
    Result<MergedSession> Done = Merge();
    if (!Done)
      Work.undo();
    return Done;
  } catch (const std::bad_alloc &) {
    Work.undo();
    throw;
  }
}

bool instantrace::isSession(const std::string &Folder) {
  std::error_code None;
  std::string Path = Folder + "/session.json";
  return fs::is_regular_file(Path, None) && !hasTimeTrace(Path);
}

Result<SplitSession> SplitSession::of(const std::string &Folder) {
  // Whoever reads the traces tells what is left out.
  INSTANTRACE_TRY_ASSIGN(Part Read, readPart(Folder, /*Seen=*/nullptr));
  SplitSession Split;
  Split.Folder = Folder;
  Split.Facts = Read.Facts.dump();
  return Split;
}

void SplitSession::add(const std::string &Compile, std::string Target) {
  Taken.insert(plainName(Target));
  if (isDirectlyIn(Folder, Compile))
    Made[plainName(Compile)].push_back(std::move(Target));
}

Result<void> SplitSession::write(const std::string &Into) const {
  OrderedJson Whole = OrderedJson::parse(Facts, nullptr, false);
  if (Whole.value("state", OrderedJson()) == "running")
    Whole["state"] = "interrupted";
  std::unordered_map<std::string, size_t> Used; // of a trace, so many compiles
  std::unordered_map<std::string, std::string> Absent; // by what is gone
  std::unordered_set<std::string> Names = Taken;
  OrderedJson Units = OrderedJson::array();
  if (Whole.contains("units") && Whole["units"].is_array())
    for (OrderedJson &Unit : Whole["units"]) {
      const OrderedJson Trace =
          Unit.is_object() ? Unit.value("trace", OrderedJson()) : OrderedJson();
      if (Trace.is_string()) {
        std::string Name = plainName(Trace.get<std::string>());
        auto Found = Made.find(Name);
        size_t No = Used[Name]++;
        std::string &Removed = Absent[Name];
        if (Found != Made.end() && No < Found->second.size())
          Unit["trace"] = Found->second[No];
        else if (Removed.empty())
          Unit["trace"] = Removed = absentName(Name, Names);
        else
          Unit["trace"] = Removed;
      }
      Units.push_back(std::move(Unit));
    }
  Whole["units"] = std::move(Units);
  return writeWhole(Into, Whole);
}
