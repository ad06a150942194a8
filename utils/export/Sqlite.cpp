/// \file
/// A database that the sqlite3 shell and everything else that speaks SQLite
/// opens, with the tables and views of `instantrace query`.
///
/// Flow: TraceModel -> TraceTables -> CREATE TABLE ... AS -> file
///
/// Names are in the table of entities once and not with every interval; the
/// view `intervals` puts them together again, so that a query runs on both
/// alike.
#include "runtime/base/NewFile.h"
#include "runtime/record/TraceFile.h"
#include "utils/export/EarlierOutput.h"
#include "utils/export/ExportJob.h"
#include "utils/export/ExportWalk.h"
#include "utils/open/FileKind.h"
#include "utils/open/Leftovers.h"
#include "utils/query/Query.h"
#include "utils/query/VirtualTable.h"
#include "utils/render/Progress.h"
#include "utils/sqlite/Database.h"
#include "utils/system/FileDescriptor.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sqlite3.h>
#include <unistd.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr const char *Tables = R"(
CREATE TABLE sequences AS SELECT * FROM trace_sequences;
CREATE TABLE interval_rows AS
  SELECT sequence, id, parent, requester, depth, kind, entity, location,
         begin_ns, end_ns, duration_ns, self_ns, ast_bytes, memoized,
         elided_count, elided_ns, definition, unfinished
  FROM trace_intervals WHERE exported;
CREATE TABLE entities AS SELECT * FROM trace_entities;
CREATE TABLE locations AS SELECT * FROM trace_locations;
CREATE TABLE files AS SELECT * FROM trace_files;
CREATE TABLE function_rows AS
  SELECT sequence, id, entity, owner, name_hash, linkage, ir_instructions,
         machine_instructions, object_bytes, emitted
  FROM trace_functions;
CREATE TABLE folds(sequence INT, inside INT, begin_ns INT, duration_ns INT,
                   intervals INT, ast_bytes INT);
CREATE TABLE missing(what TEXT);
CREATE INDEX interval_by_id ON interval_rows(sequence, id);
CREATE INDEX interval_by_parent ON interval_rows(sequence, parent);
CREATE INDEX interval_by_entity ON interval_rows(sequence, entity);
CREATE INDEX entity_by_id ON entities(sequence, id);
CREATE INDEX location_by_id ON locations(sequence, id);
CREATE VIEW intervals AS
  SELECT R.*, E.name, E.template, L.file, L.line, L."column"
  FROM interval_rows AS R
  LEFT JOIN entities AS E ON E.sequence = R.sequence AND E.id = R.entity
  LEFT JOIN locations AS L ON L.sequence = R.sequence AND L.id = R.location;
CREATE VIEW functions AS
  SELECT R.*, E.name, E.template
  FROM function_rows AS R
  LEFT JOIN entities AS E ON E.sequence = R.sequence AND E.id = R.entity;
)";

/// Binds and runs one INSERT per fold.
class FoldRows {
public:
  FoldRows(sqlite3_stmt *Insert, size_t Index, int &FirstError)
      : Insert(Insert), Index(Index), FirstError(FirstError) {}
  void begin(IntervalId) {}
  void end(IntervalId) {}
  void instant(const Instant &) {}
  void fold(const Fold &F) {
    sqlite3_reset(Insert);
    bind(1, Index + 1);
    if (F.Inside)
      bind(2, uint64_t(F.Inside.Value) + 1);
    else
      sqlite3_bind_null(Insert, 2);
    bind(3, F.BeginNs);
    bind(4, F.DurationNs);
    bind(5, F.Intervals);
    bind(6, F.AstBytes);
    // Without a journal COMMIT does not say that a row is missing.
    if (int Code = sqlite3_step(Insert); Code != SQLITE_DONE)
      FirstError = FirstError == SQLITE_OK ? Code : FirstError;
  }

private:
  void bind(int Column, uint64_t Value) {
    sqlite3_bind_int64(Insert, Column, static_cast<sqlite3_int64>(Value));
  }
  sqlite3_stmt *Insert;
  size_t Index;
  int &FirstError;
};

/// How large the file is by now, while statements run.
class Growing {
public:
  Growing(sqlite3 *Database, const std::string &Path)
      : Path(Path), Shown("writing", 0, ProgressUnit::Bytes) {
    constexpr int Steps = 100000; // a few milliseconds
    sqlite3_progress_handler(Database, Steps, show, this);
  }

private:
  static int show(void *Data) {
    auto &G = *static_cast<Growing *>(Data);
    std::error_code Failed;
    auto SizeBytes = fs::file_size(G.Path, Failed);
    G.Shown.at(Failed ? 0 : SizeBytes);
    return 0; // go on
  }

  const std::string &Path;
  Progress Shown;
};

Result<void> insertFolds(sqlite3 *Database, const ExportJob &Job) {
  sqlite3_stmt *Insert = nullptr;
  if (sqlite3_prepare_v2(Database, "INSERT INTO folds VALUES(?,?,?,?,?,?)", -1,
                         &Insert, nullptr) != SQLITE_OK)
    return Error{databaseMessage(Database)};
  int FirstError = SQLITE_OK;
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index)
    walkExport(Job.T.Sequences[Index], Index, Job.Plan,
               FoldRows(Insert, Index, FirstError));
  sqlite3_finalize(Insert);
  if (FirstError != SQLITE_OK)
    return Error{sqlite3_errstr(FirstError)};
  return {};
}

/// The views of `query` are temporary ones there.
std::string storedViews() {
  std::string Views = TraceViews;
  for (size_t Offset;
       (Offset = Views.find("CREATE TEMP VIEW")) != std::string::npos;)
    Views.erase(Offset + 7, 5);
  return Views;
}

/// PRAGMA application_id: "ITex".
constexpr uint32_t ApplicationId = 0x49546578;

Result<void> fill(const ExportJob &Job, const std::string &Path) {
  TraceModel Model(Job.T, Job.Names, Job.NameLimitBytes, &Job.Plan);
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database, openNewDatabase(Path));
  sqlite3 *Handle = Database.get();
  Growing Shown(Handle, Path);
  if (addTraceTables(Handle, Model, "trace_") != SQLITE_OK)
    return Error{databaseMessage(Handle)};
  if (Result<void> Done =
          execute(Handle, "BEGIN;PRAGMA application_id=" +
                              std::to_string(ApplicationId) + ";" + Tables);
      !Done)
    return Done;
  INSTANTRACE_TRY(insertFolds(Handle, Job));
  std::string Rest = storedViews();
  for (const std::string &Line : missingFrom(Job)) {
    char *Quoted =
        sqlite3_mprintf("INSERT INTO missing VALUES(%Q);", Line.c_str());
    Rest += Quoted ? Quoted : "";
    sqlite3_free(Quoted);
  }
  return execute(Handle, Rest + "COMMIT");
}

} // namespace

/// Anybody may have a database of that name, or have put something into ours:
/// whoever does counts one more change than the one that we make.
static Result<void> checkReplacesOwnDatabase(const std::string &Path) {
  constexpr size_t ChangesAt = 24, IdAt = 68; // "Database File Format", 1.3
  INSTANTRACE_TRY(checkReplacesNoTrace(Path));
  FileDescriptor File = openRegularFile(Path);
  std::string Head = File ? headOf(File) : std::string();
  auto number = [&](size_t Index) {
    uint32_t Number = 0;
    for (size_t I = Index; I != Index + sizeof(Number) && I < Head.size(); ++I)
      Number = Number << 8 | static_cast<unsigned char>(Head[I]);
    return Number;
  };
  if (Head.empty() || (number(IdAt) == ApplicationId && number(ChangesAt) == 1))
    return {};
  return noEarlierOutput(Path, Head);
}

/// SQLite takes these for parts of a database of that name, whoever made them.
static Result<void> checkAlone(const std::string &Path) {
  for (const char *Ending : {"-journal", "-wal", "-shm"}) {
    std::error_code Failed;
    if (fs::exists(fs::symlink_status(Path + Ending, Failed)))
      return makeError(Path + Ending, "a file of another database",
                       "none; remove it, or give another name");
  }
  return {};
}

static Result<int> writeSqlite(const ExportJob &Job, const std::string &Path) {
  if (Path == "-")
    return Error{"the standard output: a database cannot be written to it; "
                 "give a file"};
  std::error_code Failed;
  fs::file_status Existing = fs::status(Path, Failed);
  if (fs::exists(Existing) && !fs::is_regular_file(Existing))
    return Error{Path + ": not a regular file"};
  INSTANTRACE_TRY(checkReplacesOwnDatabase(Path));
  INSTANTRACE_TRY(checkAlone(Path));
  UnfinishedFile Partial;
  int Made =
      makeNewFile(hiddenPath(Path) + ".", ".export", O_WRONLY, 0666, Partial);
  if (Made < 0)
    return Error{Path + ": " + std::strerror(errno)};
  ::close(Made);
  if (Result<void> Done = fill(Job, Partial.path()); !Done)
    return Error{Path + ": " + Done.error().Message};
  INSTANTRACE_TRY(checkAlone(Path)); // nobody has put one there meanwhile
  if (!Partial.renameTo(Path))
    return systemError(Path);
  return 0;
}

const ExportFormat instantrace::SqliteFormat = {
    .Name = "sqlite",
    .Description =
        "the sqlite3 shell, DBeaver, Datasette: the tables of `query`",
    .Write = writeSqlite,
};
