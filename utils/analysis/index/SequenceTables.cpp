#include "utils/analysis/index/SequenceTables.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace instantrace;
using instantrace::index::CompileTables;
using instantrace::index::Table;
using instantrace::index::TableRows;
using instantrace::index::TextOf;

namespace {

class TablesOf {
public:
  TablesOf(const Sequence &S, IndexBuilder &Strings) : S(S), Strings(Strings) {}

  void texts() {
    static const TraceSession NoSession;
    static const TraceFooter NoFooter;
    session(S.Session ? *S.Session : NoSession);
    const TraceFooter &Footer = S.Footer ? *S.Footer : NoFooter;
    text(TextOf::Pass, Footer.Pass);
    text(TextOf::Backend, Footer.Backend);
  }

  void locations(Table Of, Table DetailsOf, const LocationTable &From) {
    for (const Location &L : From.Rows)
      add(Of, {L.File.Value, L.LineNo, L.ColumnNo});
    for (const LocationDetail &D : From.Details)
      add(DetailsOf,
          {D.Number, D.In.Value, D.Macro.Value, D.SpellingFile.Value,
           D.SpellingLineNo, D.SpellingColumnNo, D.ExpansionEndLineNo,
           D.ExpansionEndColumnNo, D.PhysicalFile.Value, D.PhysicalLineNo});
  }

  void rest() {
    for (const Inclusion &I : S.Inclusions)
      add(Table::Inclusions,
          {I.Path.Value, I.From.Value, I.LineNo, I.ColumnNo, I.IsSystem});
    for (const Entity &E : S.Entities)
      add(Table::Entities,
          {E.Name.Value, E.TemplateSet.Value, E.DeclaredAt.Value,
           static_cast<uint64_t>(E.Kind), 0});
    for (uint32_t Id : S.WholeNames)
      add(Table::WholeNames, {Id});
    for (const MemoizedHits &M : S.Memoized)
      add(Table::Memoized, {M.Entity.Value, M.Hits});
    for (const Function &F : S.Functions)
      add(Table::Functions,
          {F.Entity.Value, F.IrInstructions, F.NameHash, F.ObjectBytes,
           F.MachineInstructions, static_cast<uint64_t>(F.Owner),
           static_cast<uint64_t>(F.Link)});
  }

  void add(Table To, std::initializer_list<uint64_t> Row) {
    TableRows &Into = Rows[static_cast<size_t>(To)];
    Into.insert(Into.end(), Row);
  }

  CompileTables Rows;

private:
  void text(TextOf What, const std::string &Text) {
    if (!Text.empty())
      add(Table::Texts,
          {static_cast<uint64_t>(What), Strings.addText(Text) + 1});
  }
  /// Also those that are empty, since their number counts.
  void list(TextOf What, const std::vector<std::string> &Texts) {
    for (const std::string &Text : Texts)
      add(Table::Texts, {static_cast<uint64_t>(What),
                         Text.empty() ? 0 : Strings.addText(Text) + 1});
  }
  void session(const TraceSession &Session) {
    text(TextOf::ToolVersion, Session.ToolVersion);
    text(TextOf::ClangVersion, Session.ClangVersion);
    list(TextOf::Argument, Session.Argv);
    list(TextOf::PchInput, Session.PchInputs);
    list(TextOf::ModuleInput, Session.ModuleInputs);
    text(TextOf::WorkingDirectory, Session.WorkingDirectory);
    text(TextOf::Input, Session.Input);
    text(TextOf::Object, Session.Object);
    text(TextOf::Triple, Session.Triple);
    text(TextOf::LanguageStandard, Session.LanguageStandard);
    text(TextOf::OptimizationLevel, Session.OptimizationLevel);
    text(TextOf::Hook, Session.Hook);
    text(TextOf::Buffer, Session.Buffer);
    text(TextOf::Clock, Session.Clock);
  }

  const Sequence &S;
  IndexBuilder &Strings;
};

} // namespace

TableRows instantrace::aboutSequence(const Sequence &S, const TraceInput &File,
                                     uint64_t FileIndex) {
  static const TraceSession NoSession;
  static const TraceFooter NoFooter;
  const TraceSession &Session = S.Session ? *S.Session : NoSession;
  const TraceFooter &Footer = S.Footer ? *S.Footer : NoFooter;
  // In the order of AboutNumber.
  return {FileIndex,
          File.SizeBytes,
          File.PacketCount,
          S.FormatMinor,
          S.DictionaryBytes,
          S.EventCount,
          S.FirstShortName,
          S.Session.has_value(),
          Session.Pid,
          Session.RealtimeNs,
          Session.MonotonicNs,
          Session.GranularityNs,
          Session.TimeUnitNs,
          static_cast<uint64_t>(Session.Memoization),
          S.Footer.has_value(),
          static_cast<uint64_t>(Footer.State),
          Footer.EndTimeNs,
          Footer.PeakRssBytes,
          Footer.UserTimeNs,
          Footer.SystemTimeNs,
          Footer.EventsRecorded,
          Footer.EventsDropped,
          Footer.EventsElided,
          Footer.MemoizedHits,
          Footer.Signal,
          Footer.FragmentsDropped,
          Footer.CodeBytes};
}

CompileTables instantrace::sequenceTables(const Sequence &S,
                                          std::vector<ElidedLeaves> Elided,
                                          IndexBuilder &Strings) {
  TablesOf Of(S, Strings);
  Of.texts();
  Of.locations(Table::Locations, Table::LocationDetails, S.Locations);
  Of.locations(Table::Declarations, Table::DeclarationDetails,
               S.DeclarationLocations);
  Of.rest();
  // They came in the order of the ends.
  std::sort(Elided.begin(), Elided.end(),
            [](const ElidedLeaves &A, const ElidedLeaves &B) {
              return A.Inside.Value < B.Inside.Value;
            });
  for (const ElidedLeaves &E : Elided)
    Of.add(Table::Elided, {E.Inside.Value, E.Count, E.SumNs});
  return std::move(Of.Rows);
}
