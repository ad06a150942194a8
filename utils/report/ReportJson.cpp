#include "utils/report/ReportJson.h"

#include "utils/analysis/costs/CostColumns.h"
#include "utils/render/CleanText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

void appendNumber(std::string &Out, uint64_t Value) {
  char Digits[20];
  auto End = std::to_chars(std::begin(Digits), std::end(Digits), Value).ptr;
  Out.append(Digits, End);
}

/// An array: construct, add, let it go out of scope.
class JsonArray {
public:
  explicit JsonArray(std::string &Out) : Out(Out) { Out.push_back('['); }
  ~JsonArray() { Out.push_back(']'); }
  JsonArray(const JsonArray &) = delete;
  JsonArray &operator=(const JsonArray &) = delete;

  /// The caller appends the value.
  std::string &next() {
    if (!Empty)
      Out.push_back(',');
    Empty = false;
    return Out;
  }
  void number(uint64_t Value) { appendNumber(next(), Value); }
  void text(std::string_view Value) { appendJsonString(next(), Value); }

private:
  std::string &Out;
  bool Empty = true;
};

template <class List, class Get>
void numbers(JsonObject &In, std::string &Out, std::string_view Name,
             const List &Items, Get Number) {
  In.name(Name);
  JsonArray Array(Out);
  for (const auto &Item : Items)
    Array.number(Number(Item));
}

void texts(JsonObject &In, std::string &Out, std::string_view Name,
           const auto &Items) {
  In.name(Name);
  JsonArray Array(Out);
  for (const std::string &Item : Items)
    Array.text(Item);
}

void appendSide(std::string &Out, const ReportSide &Side) {
  JsonObject Object(Out);
  Object.number("total", Side.TotalNs);
  Object.number("compiles", Side.Compiles);
  texts(Object, Out, "inputs", Side.Inputs);
  Object.name("parts");
  JsonObject Parts(Out);
  for (size_t I = 0; I != TimePartCount; ++I)
    Parts.number(timePartName(static_cast<TimePart>(I)), Side.Parts[I]);
}

/// By the name of a kind, that of its group.
void appendGroups(std::string &Out) {
  JsonObject Object(Out);
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  Object.text(#Name, #Group);
#include "runtime/format/EventKinds.def"
}

void appendAdvice(JsonArray &Array, std::string &Out, const ReportAdvice &A) {
  Array.next();
  JsonObject Object(Out);
  Object.text("kind", A.Kind);
  Object.text("text", A.Text);
  Object.text("name", A.Name);
  Object.text("place", A.Place);
  Object.text("action", A.Action);
  Object.text("snippet", A.Snippet);
  Object.text("tried", A.Tried);
  Object.text("correction", A.Correction);
  Object.number("saving", A.Saves.EstimateNs);
  Object.number("least", A.Saves.LeastNs);
  Object.number("most", A.Saves.MostNs);
}

void appendTouch(JsonArray &Array, std::string &Out, const ReportTouch &T) {
  Array.next();
  JsonObject Object(Out);
  Object.text("name", cleanText(T.Name));
  Object.text("path", cleanText(T.Path));
  Object.number("units", T.Units);
  Object.number("time", T.Ns);
  Object.number("commits", T.Commits);
  Object.number("week", T.WeekNs);
}

void appendLine(JsonArray &Array, std::string &Out, const ReportUserLine &L) {
  Array.next();
  JsonObject Object(Out);
  Object.text("name", L.Name);
  Object.text("place", L.Place);
  Object.text("text", L.Source);
  Object.number("others", L.Others);
  Object.number("time", L.Ns);
  Object.number("units", L.Units);
}

void appendFlame(std::string &Out, const std::vector<FlameNode> &Nodes,
                 uint64_t Others, bool HasOld) {
  JsonObject Object(Out);
  Object.number("others", Others);
  auto Column = [&](std::string_view Name, auto Get) {
    numbers(Object, Out, Name, Nodes, Get);
  };
  Column("parent", [](const FlameNode &N) { return N.Parent; });
  Column("name", [](const FlameNode &N) { return N.Name; });
  Column("kind", [](const FlameNode &N) { return N.Kind; });
  Column("folded", [](const FlameNode &N) { return N.Others; });
  Column("self", [](const FlameNode &N) { return N.Self.Ns; });
  Column("count", [](const FlameNode &N) { return N.Self.Count; });
  Column("ast", [](const FlameNode &N) { return N.Self.AstBytes; });
  if (!HasOld)
    return;
  Column("old self", [](const FlameNode &N) { return N.OldSelf.Ns; });
  Column("old count", [](const FlameNode &N) { return N.OldSelf.Count; });
  Column("old ast", [](const FlameNode &N) { return N.OldSelf.AstBytes; });
}

void appendTimeline(std::string &Out, const ReportTimeline &Line) {
  JsonObject Object(Out);
  Object.boolean("hasTimes", Line.HasTimes);
  Object.number("wall", Line.WallNs);
  Object.number("busy", Line.BusyNs);
  Object.number("idle", Line.IdleNs);
  Object.number("mostAtOnce", Line.MostAtOnce);
  Object.number("criticalUnits", Line.CriticalUnits);
  Object.number("otherUnits", Line.OtherUnits);
  Object.number("otherTime", Line.OtherNs);
  numbers(Object, Out, "busyOfPart", Line.BusyOfPart,
          [](uint64_t Ns) { return Ns; });
  auto Column = [&](std::string_view Name, auto Get) {
    numbers(Object, Out, Name, Line.Units, Get);
  };
  Column("name", [](const TimelineUnit &U) { return U.Name; });
  Column("begin", [](const TimelineUnit &U) { return U.BeginNs; });
  Column("time", [](const TimelineUnit &U) { return U.EndNs - U.BeginNs; });
  Column("lane", [](const TimelineUnit &U) { return U.Lane; });
  Column("isCritical", [](const TimelineUnit &U) { return U.IsCritical; });
  Column("wait", [](const TimelineUnit &U) { return U.WaitNs; });
  Column("code", [](const TimelineUnit &U) { return U.CodeNs; });
}

/// In the form of the other tables, with the numbers of the new build alone.
void appendChecks(std::string &Out, const ReportChecks &Table) {
  JsonObject Object(Out);
  Object.text("by", Table.Key);
  Object.name("counts");
  {
    JsonArray Counts(Out);
    for (std::string_view Name : Table.Columns)
      Counts.text(Name);
  }
  auto Column = [&](std::string_view Name, auto Get) {
    numbers(Object, Out, Name, Table.Rows, Get);
  };
  using Row = ReportChecks::Row;
  Column("name", [](const Row &R) { return R.Name; });
  Column("isConcept", [](const Row &R) { return R.IsConcept; });
  Column("self", [](const Row &R) { return R.SelfNs; });
  Column("inclusive", [](const Row &R) { return R.InclusiveNs; });
  Column("ast", [](const Row &R) { return R.AstBytes; });
  for (size_t I = 0; I != Table.Columns.size(); ++I)
    Column(Table.Columns[I], [I](const Row &R) { return R.Counts[I]; });
  Object.number("otherRows", Table.OtherRows);
  Object.name("others");
  JsonObject Others(Out);
  Others.number("self", Table.Others.SelfNs);
  Others.number("inclusive", 0);
  Others.number("ast", Table.Others.AstBytes);
  for (size_t I = 0; I != Table.Columns.size(); ++I)
    Others.number(Table.Columns[I], Table.Others.Counts[I]);
}

using CostNumbers = std::vector<const CostColumn *>;

CostNumbers costNumbers(const ReportModel &Model) {
  CostNumbers Numbers;
  for (const CostColumn &C : CostColumns)
    if (!C.IsBackend || Model.HasBackend)
      Numbers.push_back(&C);
  return Numbers;
}

/// What the page has to know of them to show them.
void appendCostNumbers(std::string &Out, const CostNumbers &Numbers) {
  constexpr std::string_view Units[] = {"count", "time", "estimate", "size"};
  JsonArray Array(Out);
  for (const CostColumn *C : Numbers) {
    Array.next();
    JsonObject Object(Out);
    Object.text("key", C->Word);
    Object.text("label", C->Title);
    Object.text("unit", Units[static_cast<size_t>(C->Unit)]);
    Object.boolean("isSum", C->Adds == CostAdds::OverRows);
    Object.number("rank", C->Rank);
    Object.text("help", C->Help);
  }
}

void appendChain(JsonArray &Chains, std::string &Out, const RowChain &Chain) {
  Chains.next();
  JsonArray Fields(Out);
  for (uint64_t Value : {uint64_t(Chain.Node), Chain.Count, Chain.Memoized,
                         Chain.SelfNs, Chain.InclusiveNs})
    Fields.number(Value);
}

/// Of each row an array of chains, as ReportRow has them; the last one may be
/// of frame 0 and stands for so many others, whose number follows.
void appendChains(std::string &Out, const ReportTable &Table) {
  JsonArray Rows(Out);
  for (const ReportRow &Row : Table.Rows) {
    Rows.next();
    JsonArray Chains(Out);
    for (const RowChain &Chain : Row.Chains.Chains)
      appendChain(Chains, Out, Chain);
    if (Row.Chains.OtherChains == 0)
      continue;
    RowChain Others = Row.Chains.Others;
    Others.Node = 0;
    appendChain(Chains, Out, Others);
    Chains.number(Row.Chains.OtherChains);
  }
}

/// Of each row the ends of its chains.
void appendIncludes(std::string &Out, const ReportTable &Table) {
  JsonArray Rows(Out);
  for (const ReportRow &Row : Table.Rows) {
    Rows.next();
    JsonObject Object(Out);
    Object.number("others", Row.OtherIncludes);
    numbers(Object, Out, "chains", Row.Includes,
            [](uint32_t Node) { return Node; });
  }
}

void appendIncludeTree(std::string &Out,
                       const std::vector<ReportInclude> &Tree) {
  JsonObject Object(Out);
  auto Column = [&](std::string_view Name, auto Get) {
    numbers(Object, Out, Name, Tree, Get);
  };
  Column("outer", [](const ReportInclude &I) { return I.Outer; });
  Column("name", [](const ReportInclude &I) { return I.Name; });
  Column("line", [](const ReportInclude &I) { return I.LineNo; });
  Column("count", [](const ReportInclude &I) { return I.Count; });
  Column("inclusive", [](const ReportInclude &I) { return I.InclusiveNs; });
  Column("folded", [](const ReportInclude &I) { return I.Others; });
}

void appendFrames(std::string &Out, const std::vector<ReportFrame> &Frames) {
  JsonObject Object(Out);
  auto Column = [&](std::string_view Name, auto Get) {
    numbers(Object, Out, Name, Frames, Get);
  };
  Column("outer", [](const ReportFrame &F) { return F.Outer; });
  Column("name", [](const ReportFrame &F) { return F.Name; });
  Column("place", [](const ReportFrame &F) { return F.Place; });
  Column("isLate", [](const ReportFrame &F) { return F.IsLate; });
  Column("isInclusion", [](const ReportFrame &F) { return F.IsInclusion; });
}

void appendSource(std::string &Out, const SourceExcerpts &Source) {
  JsonObject Object(Out);
  Object.number("costly", Source.CostlyLines);
  Object.number("shown", Source.ShownCostlyLines);
  Object.name("files");
  JsonArray Files(Out);
  for (const SourceExcerpt &File : Source.Files) {
    Files.next();
    JsonObject Item(Out);
    Item.text("path", cleanText(File.Path));
    Item.text("problem", cleanText(File.Problem));
    auto Column = [&](std::string_view Name, auto Get) {
      numbers(Item, Out, Name, File.Lines, Get);
    };
    Column("line", [](const SourceLine &L) { return L.LineNo; });
    Column("caused", [](const SourceLine &L) { return L.CausedNs; });
    Column("inclusive", [](const SourceLine &L) { return L.InclusiveNs; });
    Column("count", [](const SourceLine &L) { return L.Count; });
    Item.name("text");
    JsonArray Lines(Out);
    for (const SourceLine &Line : File.Lines)
      Lines.text(Line.Text);
  }
}

void appendOthers(std::string &Out, const CostRow &Others,
                  const CostNumbers &Numbers) {
  JsonObject Object(Out);
  for (const CostColumn *C : Numbers)
    Object.number(C->Word, C->Value(Others));
}

void appendTable(std::string &Out, const ReportTable &Table, bool HasOld,
                 const CostNumbers &Numbers) {
  JsonObject Object(Out);
  Object.text("by", Table.Key);
  auto Column = [&](std::string_view Name, auto Get) {
    numbers(Object, Out, Name, Table.Rows, Get);
  };
  Column("name", [](const ReportRow &R) { return R.Name; });
  Column("kind", [](const ReportRow &R) { return R.Kind; });
  Column("fixed", [](const ReportRow &R) {
    return !(R.New ? R.New : R.Old)->Name.Fixed.empty();
  });
  for (const CostColumn *C : Numbers)
    Column(C->Word,
           [C](const ReportRow &R) { return R.New ? C->Value(*R.New) : 0; });
  Object.number("otherRows", Table.OtherRows);
  Object.name("others");
  appendOthers(Out, Table.Others, Numbers);
  Object.name("chains");
  appendChains(Out, Table);
  if (Table.Key == "header") {
    Object.name("includes");
    appendIncludes(Out, Table);
  }
  if (!HasOld)
    return;
  for (const CostColumn *C : Numbers)
    Column("old " + std::string(C->Word),
           [C](const ReportRow &R) { return R.Old ? C->Value(*R.Old) : 0; });
  Column("isNew", [](const ReportRow &R) { return R.Old == nullptr; });
  Column("isGone", [](const ReportRow &R) { return R.New == nullptr; });
  Column("isNoise", [](const ReportRow &R) { return R.IsWithinNoise; });
  Object.name("oldOthers");
  appendOthers(Out, Table.OldOthers, Numbers);
}

constexpr std::string_view EscapedBracket = "\\u003c";

size_t escapedBytes(const std::string &Json) {
  auto Brackets =
      static_cast<size_t>(std::count(Json.begin(), Json.end(), '<'));
  return Json.size() + Brackets * (EscapedBracket.size() - 1);
}

/// `<` occurs in strings alone.
std::string escaped(const std::string &Json) {
  std::string Out;
  Out.reserve(escapedBytes(Json));
  for (char C : Json) {
    if (C == '<')
      Out.append(EscapedBracket);
    else
      Out.push_back(C);
  }
  return Out;
}

} // namespace

std::string instantrace::reportJson(const ReportModel &Model) {
  std::string Out;
  {
    JsonObject Object(Out);
    Object.text("version", INSTANTRACE_VERSION);
    Object.text("title", Model.Title);
    Object.text("command", Model.Command);
    Object.number("realtime", Model.RealtimeNs / 1'000'000);
    Object.number("wall", Model.WallNs);
    Object.name("build");
    appendSide(Out, Model.New);
    if (Model.Old) {
      Object.name("old");
      appendSide(Out, *Model.Old);
    }
    texts(Object, Out, "notes", Model.Notes);
    Object.name("lines");
    {
      JsonArray Lines(Out);
      for (const ReportUserLine &L : Model.Lines)
        appendLine(Lines, Out, L);
    }
    Object.number("otherAdvice", Model.OtherAdvice);
    Object.name("advice");
    {
      JsonArray Advice(Out);
      for (const ReportAdvice &A : Model.Advice)
        appendAdvice(Advice, Out, A);
    }
    Object.name("touches");
    {
      JsonArray Touches(Out);
      for (const ReportTouch &T : Model.Touches)
        appendTouch(Touches, Out, T);
    }
    Object.name("flame");
    appendFlame(Out, Model.Flame, Model.FlameOthers, Model.Old.has_value());
    if (!Model.Requested.empty()) {
      Object.name("requested");
      appendFlame(Out, Model.Requested, Model.RequestedOthers,
                  Model.Old.has_value());
    }
    Object.name("timeline");
    appendTimeline(Out, Model.Timeline);
    Object.name("groups");
    appendGroups(Out);
    Object.boolean("backend", Model.HasBackend);
    const CostNumbers Numbers = costNumbers(Model);
    Object.name("columns");
    appendCostNumbers(Out, Numbers);
    Object.name("tables");
    {
      JsonArray Tables(Out);
      for (const ReportTable &Table : Model.Tables) {
        Tables.next();
        appendTable(Out, Table, Model.Old.has_value(), Numbers);
      }
    }
    Object.name("checks");
    {
      JsonArray Checks(Out);
      for (const ReportChecks &Table : Model.Checks) {
        Checks.next();
        appendChecks(Out, Table);
      }
    }
    Object.name("frames");
    appendFrames(Out, Model.Frames);
    Object.name("includes");
    appendIncludeTree(Out, Model.Includes);
    if (Model.HasSource) {
      Object.name("source");
      appendSource(Out, Model.Source);
    }
    texts(Object, Out, "texts", Model.Texts.all());
  }
  return escaped(Out);
}

uint64_t instantrace::reportTextBytes(const ReportModel &Model) {
  uint64_t Bytes = 0;
  std::string Json;
  for (const std::string &Text : Model.Texts.all()) {
    Json.clear();
    appendJsonString(Json, Text);
    Bytes += escapedBytes(Json);
  }
  return Bytes;
}
