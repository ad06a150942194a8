#include "utils/replay/ReplayJson.h"

#include "runtime/format/EventKind.h"

using namespace instantrace;

namespace {

/// Fields of an object in another one, or of many in a list.
template <class Filler>
void addObject(JsonObject &Object, std::string &Out, std::string_view Name,
               Filler Fill) {
  Object.name(Name);
  JsonObject Inner(Out);
  Fill(Inner);
}
/// None is null.
void addId(JsonObject &Object, std::string &Out, std::string_view Name,
           uint32_t Id) {
  if (Id != Timeline::None)
    return Object.number(Name, Id);
  Object.name(Name);
  Out += "null";
}

void addFrame(JsonObject &Object, std::string &Out, const IndexFrame &F) {
  Object.number("record", F.Id);
  Object.text("name", F.Name);
  Object.text("kind", eventKindName(static_cast<EventKind>(F.Is.Kind)));
  Object.text("file", F.File);
  Object.number("line", F.LineNo);
  Object.number("column", F.ColumnNo);
  Object.number("begin_ns", F.Is.BeginNs);
  Object.number("end_ns", F.Is.EndNs);
  Object.boolean("open", F.Is.IsOpen);
  Object.number("self_ns", F.Is.SelfNs);
  Object.number("own_bytes", F.Is.OwnBytes);
  Object.number("all_bytes", F.Is.AllBytes);
  Object.number("depth", F.Is.Depth);
  Object.number("inside", F.Is.SubtreeEnd - F.Id - 1);
  addId(Object, Out, "entity", F.Is.Entity);
  addId(Object, Out, "parent", F.Is.Parent);
  addId(Object, Out, "requester", F.Is.Requester);
}

void addBreakpoint(JsonObject &Object, std::string &Out,
                   const BreakpointView &B) {
  Object.number("number", B.Number);
  Object.text("kind", B.IsWatch ? "watchpoint" : "breakpoint");
  Object.boolean("temporary", B.IsTemporary);
  Object.boolean("enabled", B.IsEnabled);
  Object.boolean("pending", B.IsPending);
  Object.text("what", B.What);
  Object.text("condition", B.Condition);
  if (B.Places)
    Object.number("places", *B.Places);
  Object.number("hits", B.Hits);
  Object.number("ignore", B.Ignore);
  if (B.Commands.empty())
    return;
  Object.name("commands");
  appendTexts(Out, B.Commands);
}

std::string_view reasonName(Stop::Reason Why) {
  switch (Why) {
  case Stop::Reason::Moved:
    return "moved";
  case Stop::Reason::Breakpoint:
    return "breakpoint";
  case Stop::Reason::AtBegin:
    return "begin";
  case Stop::Reason::AtEnd:
    return "end";
  }
  return "moved";
}

} // namespace

template <class Filler>
void ReplayJson::answer(std::string_view Type, Filler Fill) {
  HasAnswer = true;
  std::string &Buffer = Out.buffer();
  {
    JsonObject Object(Buffer);
    Object.text("type", Type);
    Object.text("command", Command);
    Fill(Object, Buffer);
  }
  Buffer.push_back('\n');
  Out.lineDone();
}

void ReplayJson::begin(const std::string &Name) {
  Command = Name;
  HasAnswer = false;
}

void ReplayJson::stop(const StopView &View) {
  answer("stop", [&](JsonObject &Object, std::string &Text) {
    Object.text("reason", reasonName(View.Is.Why));
    Object.name("breakpoints");
    Text.push_back('[');
    for (size_t I = 0; I != View.Is.Hit.size(); ++I)
      Text += (I == 0 ? "" : ",") + std::to_string(View.Is.Hit[I]);
    Text.push_back(']');
    Object.number("position", View.Current);
    Object.number("compile", View.Event.Compile + uint64_t(1));
    Object.text("input", View.Input);
    Object.number("events", View.Events);
    if (View.Event.Record == Timeline::None)
      return;
    Object.number("event", View.Event.Number);
    Object.number("time_ns", View.TimeNs);
    if (View.EndedBytes) {
      Object.number("ended_bytes", *View.EndedBytes);
      Object.number("ended_bytes_before", View.BytesBefore);
    }
    Object.text("what", View.Event.IsBegin ? "begin" : "end");
    addObject(Object, Text, "record",
              [&](JsonObject &Inner) { addFrame(Inner, Text, View.Frame); });
  });
}

void ReplayJson::stack(const StackView &View) {
  answer("stack", [&](JsonObject &Object, std::string &Text) {
    Object.number("depth", View.Depth);
    Object.number("selected", View.Selected);
    Object.number("time_ns", View.TimeNs);
    Object.objects("frames", View.Rows,
                   [&](JsonObject &Inner, const StackView::Row &Row) {
                     Inner.number("frame", Row.Number);
                     addFrame(Inner, Text, Row.Frame);
                   });
  });
}

void ReplayJson::frame(size_t Number, const IndexFrame &F, uint64_t NowNs,
                       bool) {
  answer("frame", [&](JsonObject &Object, std::string &Text) {
    Object.number("time_ns", NowNs);
    Object.number("frame", Number);
    addFrame(Object, Text, F);
  });
}

void ReplayJson::breakpoints(const std::vector<BreakpointView> &Rows) {
  answer("breakpoints", [&](JsonObject &Object, std::string &Text) {
    Object.objects("breakpoints", Rows,
                   [&](JsonObject &Inner, const BreakpointView &B) {
                     addBreakpoint(Inner, Text, B);
                   });
  });
}

void ReplayJson::breakpointAdded(const BreakpointView &View) {
  answer("breakpoint", [&](JsonObject &Object, std::string &Text) {
    addBreakpoint(Object, Text, View);
  });
}

void ReplayJson::entities(const std::vector<EntityView> &Rows, size_t More) {
  answer("entities", [&](JsonObject &Object, std::string &Text) {
    Object.number("more", More);
    Object.objects("entities", Rows,
                   [&](JsonObject &Inner, const EntityView &E) {
                     Inner.number("entity", E.Id);
                     Inner.text("name", E.Name);
                     Inner.text("template", E.TemplateSet);
                     Inner.text("kind", E.Kind);
                     Inner.text("declared_at", E.DeclaredAt);
                     Inner.number("inclusive_ns", E.Costs.InclusiveNs);
                     Inner.number("self_ns", E.Costs.SelfNs);
                     Inner.number("ast_bytes", E.AstBytes);
                     Inner.number("count", E.Costs.Count);
                     Inner.number("definitions", E.Definitions);
                     addId(Inner, Text, "longest_record", E.Longest);
                     Inner.number("longest_ns", E.LongestNs);
                   });
  });
}

void ReplayJson::statistics(const StatisticsView &View) {
  answer("statistics", [&](JsonObject &Object, std::string &) {
    Object.number("compiles", View.Compiles);
    Object.number("records", View.Records);
    Object.number("entities", View.Entities);
    Object.number("templates", View.Templates);
    Object.number("compile", View.Compile + uint64_t(1));
    Object.text("input", View.Input);
    Object.number("happened", View.Event);
    Object.number("events", View.Events);
    Object.number("time_ns", View.TimeNs);
    Object.number("end_ns", View.EndNs);
    Object.number("depth", View.Depth);
    Object.number("ended_bytes", View.EndedBytes);
    Object.number("all_bytes", View.AllBytes);
  });
}

void ReplayJson::source(const SourceView &View) {
  answer("source", [&](JsonObject &Object, std::string &) {
    Object.text("file", View.File);
    Object.number("current", View.Current);
    Object.objects("lines", View.Lines,
                   [](JsonObject &Inner, const SourceView::Line &Line) {
                     Inner.number("line", Line.LineNo);
                     Inner.text("text", Line.Text);
                     Inner.number("count", Line.Count);
                     if (Line.IsTimed)
                       Inner.number("inclusive_ns", Line.InclusiveNs);
                   });
  });
}

void ReplayJson::compiles(const std::vector<CompileView> &Rows) {
  answer("compiles", [&](JsonObject &Object, std::string &) {
    Object.objects("compiles", Rows,
                   [](JsonObject &Inner, const CompileView &C) {
                     Inner.number("compile", C.Number);
                     Inner.text("input", C.Input);
                     Inner.text("trace", C.Trace);
                     Inner.number("events", C.Events);
                     Inner.number("end_ns", C.EndNs);
                     Inner.boolean("current", C.IsCurrent);
                     Inner.boolean("incomplete", C.IsIncomplete);
                   });
  });
}

void ReplayJson::value(const std::string &Name, const std::string &Shown,
                       uint64_t Value) {
  answer("value", [&](JsonObject &Object, std::string &) {
    Object.text("name", Name);
    Object.text("shown", Shown);
    Object.number("value", Value);
  });
}

void ReplayJson::name(const std::string &Text) {
  answer("name",
         [&](JsonObject &Object, std::string &) { Object.text("name", Text); });
}

void ReplayJson::text(const std::string &Text) {
  answer("text",
         [&](JsonObject &Object, std::string &) { Object.text("text", Text); });
}

void ReplayJson::error(const std::string &Message) {
  answer("error", [&](JsonObject &Object, std::string &) {
    Object.text("message", Message);
  });
}

Result<void> ReplayJson::finish() {
  if (!HasAnswer)
    answer("done", [](JsonObject &, std::string &) {});
  INSTANTRACE_TRY(Out.finish());
  return {};
}
