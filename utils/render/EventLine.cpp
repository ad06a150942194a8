#include "utils/render/EventLine.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <cstring>

using namespace instantrace;

std::string instantrace::entityText(const Sequence &S, EntityId Id,
                                    const NameStyle &Style, size_t LimitBytes) {
  if (!Id)
    return {};
  if (S.isNameLost(Id))
    return "<entity " + std::to_string(Id.Value) + ">";
  return nameText(S.Names, {S.entity(Id)->Name}, Style, LimitBytes);
}

std::string EventLines::path(NameId File) const {
  return pathEnd(S.Names.text(File, ShownPathBytes), PathLimitBytes);
}

void EventLines::jsonDetail(JsonObject &Object, const LocationDetail &D) {
  if (D.Macro || D.SpellingFile || D.ExpansionEndLineNo) {
    Object.text("macro", path(D.Macro));
    Object.text("spelling_file", path(D.SpellingFile));
    Object.number("spelling_line", D.SpellingLineNo);
    Object.number("spelling_column", D.SpellingColumnNo);
    Object.number("expansion_end_line", D.ExpansionEndLineNo);
    Object.number("expansion_end_column", D.ExpansionEndColumnNo);
  }
  if (D.PhysicalFile) {
    Object.text("physical_file", path(D.PhysicalFile));
    Object.number("physical_line", D.PhysicalLineNo);
  }
}

/// What is not known has no field, but for file, line and column.
void EventLines::jsonPlace(JsonObject &Object, LocationId Id) {
  const Location *L = S.location(Id);
  Object.text("file", L ? path(L->File) : std::string());
  Object.number("line", L ? L->LineNo : 0);
  Object.number("column", L ? L->ColumnNo : 0);
  if (InclusionId In = S.inclusionOf(Id)) {
    Object.number("inclusion", In.Value);
    Object.boolean("system", S.isSystem(Id));
  }
  if (const LocationDetail *D = S.detail(Id))
    jsonDetail(Object, *D);
}

void EventLines::jsonDeclared(JsonObject &Object, std::string &Out,
                              EntityId Id) {
  const Entity *About = S.entity(Id);
  if (!About || !S.location(About->DeclaredAt))
    return;
  Object.name("declared");
  JsonObject Declared(Out);
  jsonPlace(Declared, About->DeclaredAt);
}

void EventLines::jsonHead(JsonObject &Object, std::string &Out,
                          const EventLine &Line) {
  Object.text("event", Line.Event);
  Object.text("kind", eventKindName(Line.Kind));
  Object.text("name",
              entityText(S, Line.Entity, scriptStyle(Style), NameLimitBytes));
  jsonPlace(Object, Line.Location);
  jsonDeclared(Object, Out, Line.Entity);
  Object.number("time_ns", Line.TimeNs);
  Object.number("depth", Line.Depth);
}

void EventLines::appendLocation(std::string &Out, LocationId Id,
                                bool WithColumn) {
  if (!Id) {
    Out.append("<no location>");
    return;
  }
  const Location *L = S.location(Id);
  if (!L || !S.Names.contains(L->File)) {
    Out.append("<location " + std::to_string(Id.Value) + ">");
    return;
  }
  appendPrintable(Out, path(L->File));
  Out.append(":" + std::to_string(L->LineNo));
  if (WithColumn)
    Out.append(":" + std::to_string(L->ColumnNo));
}

void EventLines::appendDetail(std::string &Out, LocationId Id) {
  const LocationDetail *D = S.detail(Id);
  if (!D)
    return;
  std::string Text;
  if (D->Macro)
    Text = "macro " + path(D->Macro);
  if (D->SpellingFile)
    Text += (Text.empty() ? "" : ", ") + std::string("spelled at ") +
            path(D->SpellingFile) + ":" + std::to_string(D->SpellingLineNo) +
            ":" + std::to_string(D->SpellingColumnNo);
  if (D->PhysicalFile)
    Text += (Text.empty() ? "" : "; ") + std::string("read from ") +
            path(D->PhysicalFile) + ":" + std::to_string(D->PhysicalLineNo);
  if (Text.empty())
    return;
  Out.append(" (");
  appendPrintable(Out, Text);
  Out.push_back(')');
}

void EventLines::textHead(std::string &Out, const EventLine &Line) {
  Out.append(Styles.Dim);
  if (ShowTimes) {
    std::string Time = std::to_string(Line.TimeNs);
    Out.append(Time.size() < 13 ? 13 - Time.size() : 0, ' ');
    Out.append(Time).append(" ns  ");
  }
  Out.append(Line.Event);
  Out.append(9 - std::strlen(Line.Event), ' '); // the longest is "instant"
  Out.append(Styles.Plain);
  Out.append(2 * std::min<uint64_t>(Line.Depth, DeepestIndent), ' ');
  Out.append(eventKindName(Line.Kind)).push_back(' ');
  std::string Name = entityText(S, Line.Entity, Style, NameLimitBytes);
  if (Name.empty())
    Out.append("<unnamed>");
  appendPrintable(Out, Name);
  Out.push_back(' ');
  appendLocation(Out, Line.Location, true);
}

void EventLines::textBegin(std::string &Out, const EventLine &Line,
                           const Interval *Requester, bool IsOpen) {
  textHead(Out, Line);
  appendDetail(Out, Line.Location);
  if (Requester) {
    Out.append(" requested by ");
    std::string Name = entityText(S, Requester->Entity, Style, NameLimitBytes);
    if (Name.empty())
      Out.append(eventKindName(Requester->Kind));
    appendPrintable(Out, Name);
    Out.push_back(' ');
    appendLocation(Out, Requester->Location, false);
  }
  if (IsOpen)
    Out.append(" (never ended)");
  Out.push_back('\n');
}

void EventLines::textEnd(std::string &Out, const EventLine &Line,
                         const EndDetails &Details) {
  textHead(Out, Line);
  if (Details.Definition)
    Out.append(" definition");
  if (Details.Memoized)
    Out.append(" memoized " + std::to_string(Details.Memoized));
  if (Details.ElidedCount)
    Out.append(" elided " + std::to_string(Details.ElidedCount));
  Out.push_back('\n');
}

void EventLines::textInstant(std::string &Out, const EventLine &Line) {
  textHead(Out, Line);
  appendDetail(Out, Line.Location);
  Out.push_back('\n');
}

void EventLines::textCount(std::string &Out, const EventLine &Line,
                           uint64_t Count) {
  textHead(Out, Line);
  Out.append(" " + std::to_string(Count) + "\n");
}

void EventLines::textFunction(std::string &Out, const Function &F) {
  Out.append(Styles.Dim);
  if (ShowTimes) // it has none
    Out.append(18, ' ');
  Out.append("function ").append(Styles.Plain);
  std::string Name = entityText(S, F.Entity, Style, NameLimitBytes);
  if (Name.empty())
    Out.append("<unnamed>");
  appendPrintable(Out, Name);
  Out.append(" ").append(shownName(F.Link));
  Out.append(" ir " + std::to_string(F.IrInstructions));
  if (F.MachineInstructions != 0)
    Out.append(" machine " + std::to_string(F.MachineInstructions));
  if (F.ObjectBytes != 0)
    Out.append(" bytes " + std::to_string(F.ObjectBytes));
  if (F.Owner != FunctionOwner::Itself)
    Out.append(" (by ").append(shownName(F.Owner)).append(")");
  Out.push_back('\n');
}

void EventLines::jsonFunction(std::string &Out, const Function &F) {
  {
    JsonObject Object(Out);
    Object.text("event", "function");
    Object.text("name",
                entityText(S, F.Entity, scriptStyle(Style), NameLimitBytes));
    jsonDeclared(Object, Out, F.Entity);
    Object.text("owner", shownName(F.Owner));
    Object.text("linkage", shownName(F.Link));
    Object.text("name_hash", hashText(F.NameHash));
    Object.number("ir_instructions", F.IrInstructions);
    Object.number("machine_instructions", F.MachineInstructions);
    Object.number("object_bytes", F.ObjectBytes);
  }
  Out.push_back('\n');
}

void EventLines::jsonBegin(std::string &Out, const EventLine &Line,
                           const Interval *Requester, bool IsOpen) {
  {
    JsonObject Object(Out);
    jsonHead(Object, Out, Line);
    if (IsOpen)
      Object.boolean("open", true);
    if (Requester) {
      Object.name("requested_by");
      JsonObject Json(Out);
      Json.text("kind", eventKindName(Requester->Kind));
      Json.text("name", entityText(S, Requester->Entity, scriptStyle(Style),
                                   NameLimitBytes));
      const Location *L = S.location(Requester->Location);
      Json.text("file", L ? path(L->File) : std::string());
      Json.number("line", L ? L->LineNo : 0);
    }
  }
  Out.push_back('\n');
}

void EventLines::jsonEnd(std::string &Out, const EventLine &Line,
                         const EndDetails &Details) {
  {
    JsonObject Object(Out);
    jsonHead(Object, Out, Line);
    Object.number("ast_bytes", Details.AstBytes);
    Object.number("ast_bytes_own", Details.OwnAstBytes);
    Object.number("memoized", Details.Memoized);
    Object.number("elided_count", Details.ElidedCount);
    Object.number("elided_ns", Details.ElidedNs);
    Object.boolean("definition", Details.Definition);
  }
  Out.push_back('\n');
}

void EventLines::jsonInstant(std::string &Out, const EventLine &Line) {
  {
    JsonObject Object(Out);
    jsonHead(Object, Out, Line);
  }
  Out.push_back('\n');
}

void EventLines::jsonCount(std::string &Out, const EventLine &Line,
                           uint64_t Count) {
  {
    JsonObject Object(Out);
    jsonHead(Object, Out, Line);
    Object.number("count", Count);
  }
  Out.push_back('\n');
}
