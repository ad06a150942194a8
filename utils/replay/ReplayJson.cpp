#include "utils/replay/ReplayJson.h"

#include "runtime/format/EventKind.h"

using namespace instantrace;

namespace {

/// Fields of an object in another one, or of many in a list.
template <class Filler>
void addObject(JsonObject &To, std::string &Out, std::string_view Name,
               Filler Fill) {
  To.name(Name);
  JsonObject Inner(Out);
  Fill(Inner);
}
/// None is null.
void addId(JsonObject &To, std::string &Out, std::string_view Name,
           uint32_t Id) {
  if (Id != Timeline::None)
    return To.number(Name, Id);
  To.name(Name);
  Out += "null";
}

void addFrame(JsonObject &To, std::string &Out, const IndexFrame &F) {
  To.number("record", F.Id);
  To.text("name", F.Name);
  To.text("kind", eventKindName(static_cast<EventKind>(F.Is.Kind)));
  To.text("file", F.File);
  To.number("line", F.LineNo);
  To.number("column", F.ColumnNo);
  To.number("begin_ns", F.Is.BeginNs);
  To.number("end_ns", F.Is.EndNs);
  To.boolean("open", F.Is.IsOpen);
  To.number("self_ns", F.Is.SelfNs);
  To.number("own_bytes", F.Is.OwnBytes);
  To.number("all_bytes", F.Is.AllBytes);
  To.number("depth", F.Is.Depth);
  To.number("inside", F.Is.SubtreeEnd - F.Id - 1);
  addId(To, Out, "entity", F.Is.Entity);
  addId(To, Out, "parent", F.Is.Parent);
  addId(To, Out, "requester", F.Is.Requester);
}

void addBreakpoint(JsonObject &To, std::string &Out, const BreakpointView &B) {
  To.number("number", B.Number);
  To.text("kind", B.IsWatch ? "watchpoint" : "breakpoint");
  To.boolean("temporary", B.IsTemporary);
  To.boolean("enabled", B.IsEnabled);
  To.boolean("pending", B.IsPending);
  To.text("what", B.What);
  To.text("condition", B.Condition);
  if (B.Places)
    To.number("places", *B.Places);
  To.number("hits", B.Hits);
  To.number("ignore", B.Ignore);
  if (B.Commands.empty())
    return;
  To.name("commands");
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
  std::string &To = Out.buffer();
  {
    JsonObject Object(To);
    Object.text("type", Type);
    Object.text("command", Command);
    Fill(Object, To);
  }
  To.push_back('\n');
  Out.lineDone();
}

void ReplayJson::begin(const std::string &Name) {
  Command = Name;
  HasAnswer = false;
}

void ReplayJson::stop(const StopView &View) {
  answer("stop", [&](JsonObject &To, std::string &Text) {
    To.text("reason", reasonName(View.Is.Why));
    To.name("breakpoints");
    Text.push_back('[');
    for (size_t I = 0; I != View.Is.Hit.size(); ++I)
      Text += (I == 0 ? "" : ",") + std::to_string(View.Is.Hit[I]);
    Text.push_back(']');
    To.number("position", View.At);
    To.number("compile", View.Event.Compile + uint64_t(1));
    To.text("input", View.Input);
    To.number("events", View.Events);
    if (View.Event.Record == Timeline::None)
      return;
    To.number("event", View.Event.Number);
    To.number("time_ns", View.TimeNs);
    if (View.EndedBytes) {
      To.number("ended_bytes", *View.EndedBytes);
      To.number("ended_bytes_before", View.BytesBefore);
    }
    To.text("what", View.Event.IsBegin ? "begin" : "end");
    addObject(To, Text, "record",
              [&](JsonObject &Inner) { addFrame(Inner, Text, View.Frame); });
  });
}

void ReplayJson::stack(const StackView &View) {
  answer("stack", [&](JsonObject &To, std::string &Text) {
    To.number("depth", View.Depth);
    To.number("selected", View.Selected);
    To.number("time_ns", View.TimeNs);
    To.objects("frames", View.Rows,
               [&](JsonObject &Inner, const StackView::Row &Row) {
                 Inner.number("frame", Row.Number);
                 addFrame(Inner, Text, Row.Frame);
               });
  });
}

void ReplayJson::frame(size_t Number, const IndexFrame &F, uint64_t NowNs,
                       bool) {
  answer("frame", [&](JsonObject &To, std::string &Text) {
    To.number("time_ns", NowNs);
    To.number("frame", Number);
    addFrame(To, Text, F);
  });
}

void ReplayJson::breakpoints(const std::vector<BreakpointView> &Rows) {
  answer("breakpoints", [&](JsonObject &To, std::string &Text) {
    To.objects("breakpoints", Rows,
               [&](JsonObject &Inner, const BreakpointView &B) {
                 addBreakpoint(Inner, Text, B);
               });
  });
}

void ReplayJson::breakpointAdded(const BreakpointView &View) {
  answer("breakpoint", [&](JsonObject &To, std::string &Text) {
    addBreakpoint(To, Text, View);
  });
}

void ReplayJson::entities(const std::vector<EntityView> &Rows, size_t More) {
  answer("entities", [&](JsonObject &To, std::string &Text) {
    To.number("more", More);
    To.objects("entities", Rows, [&](JsonObject &Inner, const EntityView &E) {
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
  answer("statistics", [&](JsonObject &To, std::string &) {
    To.number("compiles", View.Compiles);
    To.number("records", View.Records);
    To.number("entities", View.Entities);
    To.number("templates", View.Templates);
    To.number("compile", View.Compile + uint64_t(1));
    To.text("input", View.Input);
    To.number("happened", View.Event);
    To.number("events", View.Events);
    To.number("time_ns", View.TimeNs);
    To.number("end_ns", View.EndNs);
    To.number("depth", View.Depth);
    To.number("ended_bytes", View.EndedBytes);
    To.number("all_bytes", View.AllBytes);
  });
}

void ReplayJson::source(const SourceView &View) {
  answer("source", [&](JsonObject &To, std::string &) {
    To.text("file", View.File);
    To.number("current", View.Current);
    To.objects("lines", View.Lines,
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
  answer("compiles", [&](JsonObject &To, std::string &) {
    To.objects("compiles", Rows, [](JsonObject &Inner, const CompileView &C) {
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
  answer("value", [&](JsonObject &To, std::string &) {
    To.text("name", Name);
    To.text("shown", Shown);
    To.number("value", Value);
  });
}

void ReplayJson::name(const std::string &Text) {
  answer("name", [&](JsonObject &To, std::string &) { To.text("name", Text); });
}

void ReplayJson::text(const std::string &Text) {
  answer("text", [&](JsonObject &To, std::string &) { To.text("text", Text); });
}

void ReplayJson::error(const std::string &Message) {
  answer("error",
         [&](JsonObject &To, std::string &) { To.text("message", Message); });
}

Result<void> ReplayJson::finish() {
  if (!HasAnswer)
    answer("done", [](JsonObject &, std::string &) {});
  INSTANTRACE_TRY(Out.finish());
  return {};
}
