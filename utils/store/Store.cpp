#include "utils/store/Store.h"

#include "utils/clickhouse/ServerAddress.h"
#include "utils/store/ClickHouseKeeping.h"
#include "utils/store/ClickHouseSchema.h"
#include "utils/store/ClickHouseStore.h"
#include "utils/store/FileStore.h"

#include <cstdlib>

using namespace instantrace;

namespace {

std::string joinedPath(const char *Folder, const char *Rest) {
  return std::string(Folder) + Rest;
}

Result<std::unique_ptr<Store>> openEither(const StoreLocation &At,
                                          bool IsToWrite) {
  if (isServerAddress(At.Place))
    return openClickHouseStore(At, IsToWrite);
  if (!At.Cluster.empty() || !At.IsReplicated)
    return usageError(
        makeError(At.Place, "a file", "a server, since --cluster is of one"));
  INSTANTRACE_TRY_ASSIGN(FileStore File,
                         IsToWrite ? FileStore::openForWriting(At.Place)
                                   : FileStore::openForReading(At.Place));
  return std::unique_ptr<Store>(std::make_unique<FileStore>(std::move(File)));
}

} // namespace

Result<std::unique_ptr<Store>> Store::openForWriting(const StoreLocation &At) {
  return openEither(At, /*IsToWrite=*/true);
}

Result<std::unique_ptr<Store>> Store::openForReading(const StoreLocation &At) {
  return openEither(At, /*IsToWrite=*/false);
}

Result<std::string> Store::schema(const StoreLocation &At) {
  if (!isServerAddress(At.Place))
    return FileStore::schema();
  INSTANTRACE_TRY_ASSIGN(ServerAddress Address, parseServerAddress(At.Place));
  INSTANTRACE_TRY_ASSIGN(
      ClickHouseSchema Schema,
      ClickHouseSchema::make(Address.Database, At.Cluster, At.IsReplicated));
  std::string Text = Schema.text();
  if (!At.IsReplicated)
    return Text;
  constexpr uint64_t Days = 180;
  Text += "\n-- What store prune --keep=" + std::to_string(Days) +
          " says beside that to a server from 19.6 on, which has TTL:\n";
  for (const std::string &Each : keepingStatements(
           Days, Address.Database, At.Cluster.empty() ? "" : "_local",
           At.Cluster.empty() ? "" : " ON CLUSTER " + At.Cluster))
    Text += "-- " + Each + ";\n";
  return Text;
}

Result<std::string> instantrace::defaultStorePath() {
  const char *Data = std::getenv("XDG_DATA_HOME");
  if (Data && *Data == '/')
    return joinedPath(Data, "/instantrace/store.db");
  const char *Home = std::getenv("HOME");
  if (Home && *Home == '/')
    return joinedPath(Home, "/.local/share/instantrace/store.db");
  return Error{"found neither XDG_DATA_HOME nor HOME, expected --to=FILE"};
}
