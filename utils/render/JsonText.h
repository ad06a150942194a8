/// \file
/// Writes JSON objects straight into a text: millions of them, no tree.
///
/// Text that is not UTF-8 (paths need not be) has each bad byte replaced by
/// U+FFFD, since JSON has no way to say it. What a terminal would obey
/// (PrintableText.h) is escaped, which JSON undoes.
#ifndef INSTANTRACE_UTILS_RENDER_JSONTEXT_H
#define INSTANTRACE_UTILS_RENDER_JSONTEXT_H

#include <cstdint>
#include <string>
#include <string_view>
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

} // namespace instantrace

#endif
