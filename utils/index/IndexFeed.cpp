#include "utils/index/IndexFeed.h"

#include "utils/open/SourceRoots.h"

using namespace instantrace;

namespace {

IndexBuilder::LocationIs placeOf(const Location &L) {
  return {L.File, L.LineNo, L.ColumnNo};
}

IndexBuilder::Tables tablesOf(const Sequence &S) {
  IndexBuilder::Tables Tables;
  Tables.Names = &S.Names;
  for (const Location &L : S.Locations.Rows)
    Tables.Locations.push_back(placeOf(L));
  for (const Location &L : S.DeclarationLocations.Rows)
    Tables.Declarations.push_back(placeOf(L));
  for (const Entity &E : S.Entities) {
    IndexBuilder::EntityIs &Is = Tables.Entities.emplace_back();
    Is.Name = E.Name;
    Is.TemplateSet = E.TemplateSet;
    Is.Kind = static_cast<uint8_t>(E.Kind);
    if (E.DeclaredAt) {
      Is.DeclaredAt = E.DeclaredAt.number() - 1;
      Is.IsDeclaration = E.DeclaredAt.isDeclaration();
    }
  }
  return Tables;
}

} // namespace

EventSink &IndexFeed::beginSequence(uint32_t) {
  Into.beginCompile();
  return *this;
}

void IndexFeed::begin(IntervalId, const Interval &I) {
  Into.begin(I.BeginNs, static_cast<uint8_t>(I.Kind), I.Entity.Value,
             I.Location.Value, I.Requester.Value);
}

void IndexFeed::end(IntervalId, const Interval &I, const ElidedLeaves &) {
  if (!I.Open) // endCompile() ends it
    Into.end(I.EndNs, {I.AstBytes, I.Definition});
}

void IndexFeed::endSequence(Sequence &S) {
  IndexBuilder::Compile C;
  C.Trace = Trace;
  C.Sequence = S.Id;
  if (S.Session) {
    C.Input = S.Session->Input;
    C.WorkingDirectory = S.Session->WorkingDirectory;
    C.Folders = CompileFolders(*S.Session).sources();
    C.RealtimeNs = S.Session->RealtimeNs;
  }
  Into.endCompile(C, S.LastTimeNs, tablesOf(S));
}
