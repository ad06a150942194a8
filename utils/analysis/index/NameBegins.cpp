#include "utils/analysis/index/NameBegins.h"

#include "runtime/strings/StringComponents.h"

#include <string_view>

using namespace instantrace;

namespace {

/// Scopes in scopes that are looked at; a deeper name may be meant.
constexpr unsigned MostDepth = 64;

/// What opens template arguments is left out where they are.
std::string_view withoutBracket(std::string_view Text) {
  return Text.ends_with('<') ? Text.substr(0, Text.size() - 1) : Text;
}

} // namespace

bool NameBegins::mayBe(uint64_t At) { return isBegin(At, 0); }

/// By the first component alone.
bool NameBegins::isBegin(uint64_t At, unsigned Depth) {
  std::string Encoded;
  if (Depth == MostDepth || !X->stringEntry(At, Encoded))
    return true;
  Encoded += static_cast<char>(EntryTerminator);
  ComponentReader Reader(Encoded.data());
  StringComponent First;
  if (!Reader.next(First))
    return true;
  if (First.Ref && First.Ref.kind() == StringIdKind::Mark) {
    if (auto Part = knownOr(First.Ref.Value - StringId::FirstMark,
                            NamePart::Parameters);
        Part != NamePart::Text && Part != NamePart::TemplateHead)
      return true; // may be left out
    if (!Reader.next(First))
      return true;
  }
  if (!First.Ref)
    return std::string_view(Wanted).starts_with(withoutBracket(First.Text));
  if (First.Ref.kind() != StringIdKind::Regular)
    return true; // a byte that is no text
  uint64_t To = First.Ref.Value - StringId::FirstRegular;
  if (To >= At)
    return X->stringFault(At, "another reference", "one to an earlier entry");
  auto Found = Known.find(To);
  if (Found == Known.end())
    Found =
        Known.emplace(To, isBegin(To, Depth + 1) && isWhollyBegin(To)).first;
  return Found->second;
}

/// With all of its text, in each of the forms that NameQuery compares.
bool NameBegins::isWhollyBegin(uint64_t At) {
  NameId Id = Entries.add(At, Names);
  if (!Id)
    return true;
  NameStyle WithDefaults, Stripped;
  WithDefaults.DefaultArguments = true;
  Stripped.Arguments = false;
  for (const NameStyle &Style : {NameStyle{}, WithDefaults, Stripped}) {
    std::string Text;
    if (Names.expand(Id, Style, Text, Wanted.size()) &&
        Wanted.starts_with(withoutBracket(Text)))
      return true;
  }
  // One that is left out in some form.
  return Names.entry(Id).Part != NamePart::Text &&
         Names.entry(Id).Part != NamePart::TemplateHead;
}
