/// \file
/// Questions about template instantiations, answered from a mapped file.
///
/// Flow:    `instantrace index` -> x.itx -> [InstantiationIndex] -> your tool
/// Units:   times are nanoseconds since the begin of a compile, as in its
///          trace; memory is bytes of Clang's AST; lines and columns from 1
/// Ids:     records, entities, template sets, files, locations and compiles
///          are numbered from 0; None is none
/// Errors:  a call that returns false says by fault() what is damaged: place,
///          found, expected. What it had to fill is then as it was or empty.
///          An id that is too large is such an error. Nothing throws but
///          std::bad_alloc
/// Threads: const calls may run at once
/// Hostile: any bytes give an error or an answer. Every number is checked
///          before it is used, also if the file changes or is cut meanwhile;
///          a record's parent and requester precede it, so no walk is endless
/// Layout:  proto/INDEX.md
///
/// This header is installed as instantrace/Index.h and needs C++20 and the
/// standard library alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

class InstantiationIndex {
public:
  static constexpr uint32_t None = UINT32_MAX;

  /// One compiler process.
  struct Compile {
    std::string Trace;            ///< path of its trace, as traceName() has it
    std::string Input;            ///< what was compiled
    std::string WorkingDirectory; ///< empty: it is not known
    uint32_t Sequence;            ///< its number in the trace
    uint64_t RealtimeNs;          ///< when it began, since 1970
    uint64_t EndNs;               ///< its last event
    uint32_t FirstRecord;
    uint32_t EndRecord; ///< behind the last one
    uint32_t OpenCount; ///< records that never ended
    /// Its trace lacks something, which `instantrace verify TRACE` names.
    bool IsIncomplete;
  };

  /// One interval: an instantiation, or other work of the compiler.
  struct Record {
    uint64_t BeginNs;
    uint64_t EndNs;
    uint64_t SelfNs;   ///< without the records inside
    uint64_t OwnBytes; ///< likewise; 0 where memory was not recorded
    uint64_t AllBytes; ///< with them
    uint32_t Compile;
    uint32_t Entity;     ///< None: it has none
    uint32_t Location;   ///< of the point of instantiation
    uint32_t Parent;     ///< the record that it is in
    uint32_t Requester;  ///< what queued it, for a body that came late
    uint32_t SubtreeEnd; ///< what is inside: its own number + 1 to this
    uint32_t Depth;      ///< records around it
    uint8_t Kind;        ///< number of proto/FORMAT.md, "Event kinds"
    bool IsOpen;         ///< it never ended; EndNs is the last event's
    bool IsDefinition;   ///< completed the definition of its entity
  };

  /// What of a record needs no search: what it is, and where in the tree.
  struct Shape {
    uint32_t Entity;
    uint32_t Location;
    uint32_t Parent;
    uint32_t SubtreeEnd;
    uint32_t Depth; ///< DeepestShape stands for this and more; Record has it
    uint8_t Kind;
    bool IsOpen;
    bool IsDefinition;
  };
  static constexpr uint32_t DeepestShape = 65535;

  struct Entity {
    uint32_t TemplateSet;
    uint32_t DeclaredAt; ///< location
    uint8_t Kind;        ///< EntityKind of proto/trace.proto
    uint32_t RecordCount;
    uint64_t NameHash; ///< equal for equal names; 0: there is no text
  };

  struct Location {
    uint32_t File; ///< None: no file
    uint32_t LineNo;
    uint32_t ColumnNo;
    uint32_t RecordCount;
  };

  InstantiationIndex();
  ~InstantiationIndex();
  InstantiationIndex(InstantiationIndex &&) noexcept;
  InstantiationIndex &operator=(InstantiationIndex &&) noexcept;

  /// Maps the file. Takes the same time whatever its size; of more than 64
  /// mappings at once, the rest is read into memory. Files may be cut by others
  /// at any time, so this installs a handler of SIGBUS for the process, which
  /// hands on what is not its own. False: \p Why is
  /// "PATH: found FOUND, expected EXPECTED" or the system's reason. Messages
  /// have \p Name, unless it is empty, for the path of a file that is nobody's.
  static bool open(const std::string &Path, InstantiationIndex &Into,
                   std::string &Why, const std::string &Name = {});
  /// Of bytes that outlive the index; \p Name is for messages.
  static bool fromBytes(std::string_view Bytes, const std::string &Name,
                        InstantiationIndex &Into, std::string &Why);
  /// Whether a file begins as an index does.
  static bool hasMagic(std::string_view Begin);

  /// What was damaged first; empty: nothing was.
  std::string fault() const;
  /// Reads all, and compares all checksums. False: fault() says what is wrong.
  bool verify() const;

  /// Of the traces that it was made of: their size and hash.
  uint64_t traceBytes() const;
  uint64_t traceHash() const;
  uint64_t fileBytes() const;
  std::string_view name() const; ///< of the file; as long as the index
  /// False: what was read so far may be zeros of a file that was cut; fault()
  /// says so.
  bool isWhole() const;

  /// For whoever has found the traces under other paths than those that they
  /// had when the index was made. Not while another thread asks.
  void setTraceNames(std::unordered_map<std::string, std::string> NowByThen);
  /// The path then, if nothing else was set.
  std::string traceName(const std::string &Then) const;

  uint32_t compileCount() const;
  uint32_t recordCount() const;
  uint32_t entityCount() const;
  uint32_t templateSetCount() const;
  uint32_t fileCount() const;
  uint32_t locationCount() const;

  bool compile(uint32_t Id, Compile &Into) const;
  /// Where it has sources: its own folder, and those of -I and the like.
  bool folders(uint32_t Compile, std::vector<std::string> &Into) const;
  bool record(uint32_t Id, Record &Into) const;
  /// Part of that, as fast as a look into an array; for walks.
  bool shape(uint32_t Id, Shape &Into) const;
  bool entity(uint32_t Id, Entity &Into) const;
  bool location(uint32_t Id, Location &Into) const;

  /// What a name is shown with.
  struct NameParts {
    bool DefaultArguments = false;
    bool Parameters = false;
  };
  /// Appends a name, cut after \p LimitBytes; nothing for what has none.
  bool entityName(uint32_t Id, NameParts Parts, size_t LimitBytes,
                  std::string &Out) const;
  bool templateSetName(uint32_t Id, NameParts Parts, size_t LimitBytes,
                       std::string &Out) const;
  bool filePath(uint32_t Id, size_t LimitBytes, std::string &Out) const;

  /// The innermost record at a time: one with BeginNs <= TimeNs < EndNs. None
  /// in a hole, before the first and behind the last.
  bool recordAt(uint32_t Compile, uint64_t TimeNs, uint32_t &Into) const;
  /// All of them, innermost first.
  bool stackAt(uint32_t Compile, uint64_t TimeNs,
               std::vector<uint32_t> &Into) const;
  /// After the event of that number: begins and ends of records in their order,
  /// from 0 in each compile. \p TimeNs is when it was.
  bool stackAfter(uint32_t Compile, uint64_t Event, std::vector<uint32_t> &Into,
                  uint64_t &TimeNs) const;
  uint64_t eventCount(const Compile &C) const {
    return uint64_t(C.EndRecord - C.FirstRecord) * 2 - C.OpenCount;
  }

  /// Sums over the records \p Begin up to \p End, such as a subtree.
  bool selfNs(uint32_t Begin, uint32_t End, uint64_t &Into) const;
  bool ownBytes(uint32_t Begin, uint32_t End, uint64_t &Into) const;

  /// The entities whose text, default arguments included and parameters not,
  /// is \p Name.
  bool entitiesNamed(std::string_view Name, std::vector<uint32_t> &Into) const;
  /// The records of an entity, ascending.
  bool recordsOf(uint32_t Entity, std::vector<uint32_t> &Into) const;
  /// What a line instantiates: the records of all columns, ascending.
  bool recordsAt(uint32_t File, uint32_t LineNo,
                 std::vector<uint32_t> &Into) const;
  /// Files of that path, or whose last parts it is.
  bool filesNamed(std::string_view Path, std::vector<uint32_t> &Into) const;

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace instantrace
