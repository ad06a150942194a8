/// \file
/// What rules of advice share: a compile while its trace is there, what is kept
/// of it, thresholds.
///
/// Flow:   Trace -> AdviceUnit -> [AdviceRule] -> AdvicePart -> AdviceRule ->
///         Suggestions
///
/// A rule sees the compiles one by one, on any thread, and what it makes of
/// each is added to what it has in their order. So a build of any size needs
/// the memory of a few traces and of the rows. A rule gives every suggestion
/// that its own thresholds allow; that the saving is worth the trouble is
/// decided for all alike.
#pragma once

#include "utils/analysis/advice/Advice.h"
#include "utils/analysis/advice/FunctionCosts.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/view/EntityGroups.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instantrace {

class HeaderFacts;

/// One compile. Valid as long as its trace.
struct AdviceUnit {
  const Trace &T;
  uint32_t Index;  ///< of the sequence in the trace
  uint32_t Number; ///< of all compiles; NoIndex in the first reading
  const Sequence &S;
  const CompileFacts &Costs;
  const FunctionCosts &Functions;
  // They have entered the sequence.
  TraceFilter &Filter;
  EntityGroups &Templates;
  EntityGroups *Classes; ///< null in the first reading: nobody has learned them

  RowName name(NameId Id) const {
    return S.Names.contains(Id) ? RowName::named(Index, {Id})
                                : RowName::fixed("(unnamed)");
  }
  /// Of rows that have Saves, by their numbers in \p RootOf (Savings.h).
  template <class Rows>
  void save(const std::vector<uint32_t> &RootOf, Rows &Into) const {
    std::vector<RootSaving> All =
        savings(Costs, Functions, RootOf, Into.size());
    for (uint32_t Number = 0; Number != Into.size(); ++Number)
      Into[Number].Saves = All[Number].Saves;
  }
  /// `file:line`; empty when it is not known.
  std::string place(LocationId Id) const;
  /// Where a template is declared, of an entity that is a part of it.
  std::string declared(EntityId Id) const;
  /// The instantiation of a function's body.
  bool isBody(const Interval &I) const;
  /// True of a specialization that LLVM was given, that the filter selects and
  /// whose template is not of the system, so that the user can change it.
  bool isOwnFunction(EntityId Id) const;
};

/// Of all compiles.
struct AdviceFacts {
  explicit AdviceFacts(const AdviceSpec &Spec);
  ~AdviceFacts();

  const AdviceSpec &Spec;
  MergedNames Names;
  uint64_t TotalNs = 0; ///< known after the first reading

  /// Whether a saving is as large as the user wants.
  bool isWorth(uint64_t Ns) const;
  /// Of the files, if a rule asks for them when it is made.
  HeaderFacts &headers();
  HeaderFacts *knownHeaders() { return Headers.get(); }

private:
  std::unique_ptr<HeaderFacts> Headers;
};

/// What somebody makes of one compile. Names in it are those of its trace, of
/// which the events are gone.
struct AdvicePart {
  virtual ~AdvicePart() = default;
};

/// Some things can be asked of a compile only when all were seen.
enum class AdviceReading { First, Second };

class AdvicePass {
public:
  virtual ~AdvicePass() = default;
  virtual bool reads(AdviceReading Reading) const = 0;
  /// On any thread, while nothing is added but parts of the same reading, which
  /// it must not look at. Null: there is nothing to add.
  virtual std::unique_ptr<AdvicePart> partOf(const AdviceUnit &U,
                                             AdviceReading Reading) const = 0;
  /// In the order of the compiles; \p T has the part's names.
  virtual void add(AdvicePart &Added, const Trace &T,
                   AdviceReading Reading) = 0;
};

class AdviceRule : public AdvicePass {
public:
  virtual Suggestions take() = 0;
  /// Its suggestion on that subject is shown: rules that take() later assume
  /// that somebody follows it.
  virtual void follow(const std::string & /*Subject*/) {}
};

/// Of which the parts of one reading are \p Part.
template <class Part, class Base = AdviceRule> class ReadingOf : public Base {
public:
  explicit ReadingOf(AdviceReading Reading) : Reading(Reading) {}

  bool reads(AdviceReading Added) const final { return Added == Reading; }
  std::unique_ptr<AdvicePart> partOf(const AdviceUnit &U,
                                     AdviceReading) const final {
    auto Made = std::make_unique<Holder>();
    read(U, Made->Content);
    return Made;
  }
  void add(AdvicePart &Added, const Trace &T, AdviceReading) final {
    merge(std::move(static_cast<Holder &>(Added).Content), T);
  }

protected:
  virtual void read(const AdviceUnit &U, Part &Into) const = 0;
  virtual void merge(Part Added, const Trace &T) = 0;

private:
  struct Holder : AdvicePart {
    Part Content;
  };
  AdviceReading Reading;
};

/// Rows in the order in which their keys were met.
template <class Row> class KeyedRows {
public:
  static constexpr uint32_t None = NoIndex;

  /// The row's number, and whether it is new.
  std::pair<uint32_t, bool> enter(const NameKey &Key) {
    auto [Entry, IsNew] =
        ByKey.try_emplace(Key, static_cast<uint32_t>(Rows.size()));
    if (IsNew) {
      Rows.emplace_back();
      Keys.push_back(Key);
    }
    return {Entry->second, IsNew};
  }
  /// Of a group, which is looked up once. Requires: all are of one compile.
  std::pair<uint32_t, bool> enter(const EntityGroups &Groups, uint32_t Group) {
    if (Group >= ByGroup.size())
      ByGroup.resize(Groups.size(), None);
    if (ByGroup[Group] != None)
      return {ByGroup[Group], false};
    auto Entered = enter(Groups.key(Group));
    ByGroup[Group] = Entered.first;
    return Entered;
  }
  uint32_t find(uint32_t Group) const {
    return Group < ByGroup.size() ? ByGroup[Group] : None;
  }
  uint32_t find(const NameKey &Key) const {
    auto It = ByKey.find(Key);
    return It == ByKey.end() ? None : It->second;
  }
  /// A row is new, or Row::add() is called. Row::keepNames() has to keep those
  /// that come into it.
  void add(KeyedRows More, MergedNames &Names) {
    for (uint32_t I = 0; I != More.Rows.size(); ++I) {
      auto [Number, IsNew] = enter(More.Keys[I]);
      if (IsNew) {
        Rows[Number] = std::move(More.Rows[I]);
        Rows[Number].keepNames(Names);
      } else {
        Rows[Number].add(std::move(More.Rows[I]), Names);
      }
    }
  }

  Row &operator[](uint32_t Number) { return Rows[Number]; }
  const Row &operator[](uint32_t Number) const { return Rows[Number]; }
  const NameKey &key(uint32_t Number) const { return Keys[Number]; }
  uint32_t size() const { return static_cast<uint32_t>(Rows.size()); }
  auto begin() { return Rows.begin(); }
  auto end() { return Rows.end(); }
  auto begin() const { return Rows.begin(); }
  auto end() const { return Rows.end(); }

private:
  std::vector<Row> Rows;
  std::vector<NameKey> Keys;
  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
  std::vector<uint32_t> ByGroup;
};

/// A rule whose parts are rows, and nothing else.
template <class Row> class RowRule : public ReadingOf<KeyedRows<Row>> {
public:
  using Read = void (*)(const AdviceUnit &U, KeyedRows<Row> &Into);
  using Advise = void (*)(const Row &Candidate, const AdviceFacts &F,
                          Suggestions &Into);
  RowRule(AdviceFacts &F, AdviceReading Reading, Read ReadIt, Advise AdviseIt)
      : ReadingOf<KeyedRows<Row>>(Reading), F(F), ReadIt(ReadIt),
        AdviseIt(AdviseIt) {}

  Suggestions take() override {
    Suggestions All;
    for (const Row &Candidate : Rows)
      AdviseIt(Candidate, F, All);
    return All;
  }

protected:
  void read(const AdviceUnit &U, KeyedRows<Row> &Into) const override {
    ReadIt(U, Into);
  }
  void merge(KeyedRows<Row> Added, const Trace &) final {
    Rows.add(std::move(Added), F.Names);
  }

  AdviceFacts &F;
  KeyedRows<Row> Rows;

private:
  Read ReadIt;
  Advise AdviseIt;
};

template <class Row>
std::unique_ptr<AdviceRule>
rowRule(AdviceFacts &F, AdviceReading Reading,
        void (*Read)(const AdviceUnit &, KeyedRows<Row> &),
        void (*Advise)(const Row &, const AdviceFacts &, Suggestions &)) {
  return std::make_unique<RowRule<Row>>(F, Reading, Read, Advise);
}

/// A rule that asks nothing of compiles itself.
class HeaderRule : public AdviceRule {
public:
  explicit HeaderRule(AdviceFacts &F) : F(F), H(F.headers()) {}
  bool reads(AdviceReading) const final { return false; }
  std::unique_ptr<AdvicePart> partOf(const AdviceUnit &,
                                     AdviceReading) const final {
    return nullptr;
  }
  void add(AdvicePart &, const Trace &, AdviceReading) final {}

protected:
  AdviceFacts &F;
  HeaderFacts &H;
};

/// A name as it is written in a program. Empty: it cannot be written, because
/// it is that of a lambda, or of what is local or has no name, or is too long.
std::string writableName(const Trace &T, const RowName &Name);

#define ADVICE_KIND(Name, Word, About)                                         \
  std::unique_ptr<AdviceRule> advise##Name(AdviceFacts &F);
#include "utils/analysis/advice/AdviceKinds.def"

} // namespace instantrace
