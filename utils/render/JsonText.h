/// \file
/// Writes JSON objects straight into a text: millions of them, no tree.
///
/// Text that is not UTF-8 (paths need not be) has each bad byte replaced by
/// U+FFFD, since JSON has no way to say it. What a terminal would obey
/// (PrintableText.h) is escaped, which JSON undoes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace instantrace {

void appendJsonString(std::string &Out, std::string_view Text);

/// An array of texts.
void appendTexts(std::string &Out, const std::vector<std::string> &Texts);

/// One object: construct, add fields, close() or let it go out of scope.
class JsonObject {
public:
  explicit JsonObject(std::string &Out) : Out(Out) { Out.push_back('{'); }
  ~JsonObject() { Out.push_back('}'); }
  JsonObject(const JsonObject &) = delete;
  JsonObject &operator=(const JsonObject &) = delete;

  /// Names are plain literals without characters to escape.
  void text(std::string_view Name, std::string_view Value) {
    name(Name);
    appendJsonString(Out, Value);
  }
  void number(std::string_view Name, uint64_t Value) {
    name(Name);
    Out.append(std::to_string(Value));
  }
  void boolean(std::string_view Name, bool Value) {
    name(Name);
    Out.append(Value ? "true" : "false");
  }
  void texts(std::string_view Name, const std::vector<std::string> &Values) {
    name(Name);
    appendTexts(Out, Values);
  }
  /// An array of objects: \p Fill gets each with its item.
  template <class Items, class Filler>
  void objects(std::string_view Name, const Items &Each, Filler Fill) {
    name(Name);
    Out.push_back('[');
    bool IsFirst = true;
    for (const auto &Item : Each) {
      if (!std::exchange(IsFirst, false))
        Out.push_back(',');
      JsonObject Object(Out);
      Fill(Object, Item);
    }
    Out.push_back(']');
  }
  /// The caller appends the value to the text.
  void name(std::string_view Name) {
    if (!Empty)
      Out.push_back(',');
    Empty = false;
    Out.push_back('"');
    Out.append(Name);
    Out.append("\":");
  }

private:
  std::string &Out;
  bool Empty = true;
};

/// Of what commands print with --json: the files in docs/schema describe it.
/// Keys may come in one version, and none goes or changes its meaning.
inline constexpr uint64_t JsonSchemaVersion = 1;

/// The object that a command prints.
class JsonAnswer : public JsonObject {
public:
  explicit JsonAnswer(std::string &Out) : JsonObject(Out) {
    number("schema_version", JsonSchemaVersion);
  }
};

} // namespace instantrace
