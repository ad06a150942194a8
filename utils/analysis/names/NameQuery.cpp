#include "utils/analysis/names/NameQuery.h"

#include "runtime/base/NearestWord.h"
#include "utils/analysis/names/NameLimit.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

/// What a message can show.
constexpr size_t SimilarBytes = 200;

/// "std::vektor" for "std::vector<$>".
bool isMistyped(std::string_view Name, const std::string &Text) {
  constexpr size_t LongestText = 60;
  Name = Name.substr(0, Name.find('<'));
  const size_t Most = std::max<size_t>(1, Text.size() / 5);
  return Text.size() <= LongestText && Name.size() <= Text.size() + Most &&
         Text.size() <= Name.size() + Most &&
         editDistance(Text, std::string(Name)) <= Most;
}

} // namespace

Result<NameQuery> NameQuery::make(const std::string &Text) {
  NameQuery Query;
  Query.Text = Text;
  Query.Key = Dictionary::keyOf(Text);
  Query.SetKey = Dictionary::keyOf(Text + "<$>");
  if (!Text.starts_with("glob:") && !Text.starts_with("regex:"))
    return Query;
  INSTANTRACE_TRY_ASSIGN(Query.Pattern, NamePattern::make(Text));
  return Query;
}

void NameQuery::enterTrace(const Trace &T) {
  MatchedBytes = Pattern ? affordableNameBytes(T, MatchedNames) : 0;
}

void NameQuery::enterSequence(const Sequence &Entered) {
  S = &Entered;
  Known.assign(Entered.Entities.size() + 1, Answer::Unknown);
}

bool NameQuery::selects(EntityId Id) {
  const Entity *E = S->entity(Id);
  if (!E)
    return false;
  Answer &Reply = Known[Id.Value];
  if (Reply == Answer::Unknown)
    Reply = isMeant(*E) ? Answer::Yes : Answer::No;
  return Reply == Answer::Yes;
}

bool NameQuery::isMeant(const Entity &E) const {
  if (Pattern)
    return Pattern->matches(
        S->Names.text(E.Name, NameStyle{true}, MatchedBytes));
  // Of an index there may be few names.
  if (!S->Names.contains(E.Name) && !S->Names.contains(E.TemplateSet))
    return Text.empty();
  NameKey Set = S->Names.key(E.TemplateSet);
  if (S->Names.key(E.Name) == Key || Set == Key || Set == SetKey)
    return true;
  NameStyle Stripped;
  Stripped.Arguments = false;
  // No longer than what it is compared with.
  for (const NameStyle &Style : {NameStyle{}, Stripped}) {
    std::string Name;
    if (S->Names.expand(E.Name, Style, Name, Text.size()) && Name == Text)
      return true;
  }
  return false;
}

std::vector<std::string> NameQuery::similar(const Trace &T, size_t Most) const {
  std::vector<std::string> Found;
  for (const Sequence &Compile : T.Sequences) {
    std::vector<char> IsKnown(Compile.Names.size() + size_t(1));
    for (const Entity &E : Compile.Entities) {
      // Many entities are of one template.
      if (!Compile.Names.contains(E.TemplateSet) ||
          std::exchange(IsKnown[E.TemplateSet.Value], 1) != 0)
        continue;
      std::string Name;
      if (Compile.Names.expand(E.TemplateSet, {}, Name, SimilarBytes) &&
          (Name.find(Text) != Name.npos || isMistyped(Name, Text)))
        Found.push_back(std::move(Name));
    }
    keepNearest(Found, Most);
  }
  return Found;
}

void NameQuery::keepNearest(std::vector<std::string> &Names, size_t Most) {
  std::sort(Names.begin(), Names.end(),
            [](const std::string &A, const std::string &B) {
              return A.size() != B.size() ? A.size() < B.size() : A < B;
            });
  Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
  Names.resize(std::min(Names.size(), Most));
}
