/// \file
/// The tables of one sequence by text, and what its records add to them.
///
/// Flow:   packets of a sequence -> [TextTables] <- NamedRecords
///                                       | packets of what was added
#pragma once

#include "proto/text.pb.h"
#include "proto/trace.pb.h"
#include "runtime/base/Result.h"
#include "runtime/strings/Dictionary.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace instantrace {

class TextTables {
public:
  /// Of all packets of a sequence. What breaks the rules of the format has an
  /// id and no text.
  explicit TextTables(const std::vector<const proto::Packet *> &Packets);

  /// Adds what is not there. Errors: there are several.
  Result<uint32_t> entity(const std::string &Name, bool IsFile);
  /// \p Place is "file:line:column". Errors: it is none; there are several.
  Result<uint32_t> location(const std::string &Place);
  /// Errors: it is there already.
  Result<uint32_t> declare(const proto::NamedEntity &Entity);

  /// Packets with what was added, without a sequence.
  std::vector<proto::Packet> added() const;

private:
  struct PlaceKey {
    std::string File;
    uint32_t Line = 0, Column = 0;
    friend auto operator<=>(const PlaceKey &, const PlaceKey &) = default;
  };
  struct EntityRow {
    uint32_t Name, TemplateSet, Declaration;
    proto::EntityKind Kind;
  };
  struct LocationRow {
    uint32_t File, Line, Column;
  };

  static Result<PlaceKey> placeOf(const std::string &Text);
  void readNames(const proto::DictionaryBatch &Batch);
  void readLocations(const proto::LocationBatch &Batch);
  void readEntities(const proto::EntityBatch &Batch);
  const std::string *text(uint32_t NameId) const;
  uint32_t name(const std::string &Text);
  uint32_t addEntity(const proto::NamedEntity &Entity, uint32_t Declaration);
  static void write(proto::LocationBatch &Batch, uint32_t FirstId,
                    const std::vector<LocationRow> &Rows);

  Dictionary Names;
  std::map<std::string, uint32_t> NameIds;   ///< the first of equal ones
  std::map<uint32_t, std::string> NameTexts; ///< but for very long ones
  std::map<std::string, std::vector<uint32_t>> EntityIds;
  std::map<PlaceKey, std::vector<uint32_t>> LocationIds;
  uint32_t EntityCount = 0, LocationCount = 0, DeclarationCount = 0;

  std::vector<std::string> NewNames;
  std::vector<EntityRow> NewEntities;
  std::vector<LocationRow> NewLocations, NewDeclarations;
};

} // namespace instantrace
