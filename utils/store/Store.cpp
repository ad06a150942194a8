#include "utils/store/Store.h"

#include "utils/clickhouse/ServerAddress.h"
#include "utils/store/ClickHousePruning.h"
#include "utils/store/ClickHouseSchema.h"
#include "utils/store/ClickHouseStore.h"
#include "utils/store/FileStore.h"
#include "utils/store/StoreFiles.h"

#include <cstdlib>

using namespace instantrace;

Result<std::unique_ptr<Store>> Store::open(const StoreLocation &Location,
                                           bool IsToWrite) {
  if (isServerAddress(Location.Place))
    return openClickHouseStore(Location, IsToWrite);
  if (!Location.Cluster.empty() || !Location.IsReplicated)
    return usageError(makeError(Location.Place, "a file",
                                "a server, since --cluster is of one"));
  INSTANTRACE_TRY_ASSIGN(FileStore File,
                         IsToWrite ? FileStore::openForWriting(Location.Place)
                                   : FileStore::openForReading(Location.Place));
  return std::unique_ptr<Store>(std::make_unique<FileStore>(std::move(File)));
}

Result<std::string> Store::schema(const StoreLocation &Location) {
  if (!isServerAddress(Location.Place))
    return migrationText(StoreMigrations);
  INSTANTRACE_TRY_ASSIGN(ServerAddress Address,
                         parseServerAddress(Location.Place));
  INSTANTRACE_TRY_ASSIGN(ClickHouseSchema Schema,
                         ClickHouseSchema::make(Address.Database,
                                                Location.Cluster,
                                                Location.IsReplicated));
  std::string Text = Schema.expanded(migrationText(ClickHouseMigrations));
  if (!Location.IsReplicated)
    return Text;
  constexpr uint64_t Days = 180;
  Text += "\n-- What store prune --keep=" + std::to_string(Days) +
          " says beside that to a server from 19.6 on, which has TTL:\n";
  for (const std::string &Each : ttlStatements(Schema, Days))
    Text += "-- " + Each + ";\n";
  return Text;
}

Result<std::string> instantrace::defaultStorePath() {
  const char *Data = std::getenv("XDG_DATA_HOME");
  if (Data && *Data == '/')
    return std::string(Data) + "/instantrace/store.db";
  const char *Home = std::getenv("HOME");
  if (Home && *Home == '/')
    return std::string(Home) + "/.local/share/instantrace/store.db";
  return Error{"found neither XDG_DATA_HOME nor HOME, expected --to=FILE"};
}
