/// \file
/// What SQLite may do with files: two file systems (VFS) over that of the
/// system, which have no rollback journals.
///
/// Flow:  openDatabase -> SQLite -> [FileAccess] -> the system's VFS
/// Trust: what is beside a database may have been put there by anybody, and at
///        any time; so it is here, where SQLite opens and removes files, that
///        they are refused, and not only beforehand
///
///   x.db       read                          or written
///   x.db-wal   read; none is an empty one    made, written, removed
///   x.db-shm   never opened: the log is      made, written, removed
///              indexed in memory
///   -journal and all other names: refused
///
/// A reader that does not say in x.db-shm what it reads is safe for the reason
/// that writers put their log into the database only while nobody else has it
/// open (copyLogWhenAlone), as they do when they close it.
#pragma once

#include <sqlite3.h>

namespace instantrace {

/// Names for sqlite3_open_v2(); null: there is no memory.
const char *readingFileAccess();
const char *writingFileAccess();

/// For sqlite3_wal_hook(), in place of SQLite's own.
int copyLogWhenAlone(void *, sqlite3 *Database, const char *Name, int Pages);

} // namespace instantrace
