/// \file
/// RecordSearch: the entities that a name or a pattern means.
#include "utils/analysis/index/IndexQuestions.h"
#include "utils/analysis/names/NamePattern.h"
#include "utils/render/NameElision.h"
#include "utils/replay/NameMatch.h"
#include "utils/replay/RecordSearch.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

Error indexFault(const InstantiationIndex &X) { return Error{X.fault()}; }

/// By number: the template sets whose name, without arguments, ends so.
Result<std::vector<bool>> setsNamed(const Timeline &Line,
                                    std::string_view Name) {
  const InstantiationIndex &X = Line.index();
  const NameTable *Known = Line.tables() ? Line.tables()->setNames() : nullptr;
  std::vector<bool> Is(X.templateSetCount());
  std::string Text;
  for (uint32_t Id = 0; Id != Is.size(); ++Id) {
    if (Id % StepsPerLook == 0 && isInterrupted())
      return interruptedError();
    if (Known) {
      Is[Id] = isNameOrEnd((*Known)[Id], Name);
      continue;
    }
    Text.clear();
    if (!X.templateSetName(Id, {}, IndexNameBytes, Text))
      return indexFault(X);
    Is[Id] = isNameOrEnd(nameOfSet(Text), Name);
  }
  return Is;
}

/// Of a name that somebody typed.
std::string withoutArguments(const std::string &Name) {
  constexpr std::string_view Left = "<\u2026>";
  std::string Plain = nameToLevel(Name, 0);
  for (size_t Offset = 0;
       (Offset = Plain.find(Left, Offset)) != std::string::npos;)
    Plain.erase(Offset, Left.size());
  return Plain;
}

Result<std::vector<uint32_t>> entitiesNamed(const Timeline &Line,
                                            const std::string &Name) {
  const InstantiationIndex &X = Line.index();
  // With default arguments, which are not shown.
  std::vector<uint32_t> Exact, Found;
  if (!X.entitiesNamed(Name, Exact))
    return indexFault(X);
  std::sort(Exact.begin(), Exact.end());
  // Names are made of few of the entities: what is outside of arguments is in
  // the name of their template set, of which there are less.
  const std::string Plain = withoutArguments(Name);
  INSTANTRACE_TRY_ASSIGN(std::vector<bool> SetIs, setsNamed(Line, Plain));
  const std::vector<uint32_t> *SetOf =
      Line.tables() ? Line.tables()->setsOfEntities() : nullptr;
  InstantiationIndex::Entity E = {};
  std::string Text;
  for (uint32_t Id = 0; Id != X.entityCount(); ++Id) {
    if (Id % StepsPerLook == 0 && isInterrupted())
      return interruptedError();
    if (SetOf)
      E.TemplateSet = (*SetOf)[Id];
    else if (!X.entity(Id, E))
      return indexFault(X);
    bool HasSet = E.TemplateSet < SetIs.size();
    if (HasSet && !SetIs[E.TemplateSet])
      continue;
    bool Is = HasSet && Plain == Name;
    if (!Is) {
      Text.clear();
      if (!X.entityName(Id, {}, IndexNameBytes, Text))
        return indexFault(X);
      Is = isNameOrEnd(Text, Name) ||
           std::binary_search(Exact.begin(), Exact.end(), Id);
    }
    if (Is)
      Found.push_back(Id);
  }
  return Found;
}

Result<std::vector<uint32_t>> entitiesLike(const Timeline &Line,
                                           const std::string &Regex) {
  const InstantiationIndex &X = Line.index();
  INSTANTRACE_TRY_ASSIGN_AS(usageError, NamePattern Pattern,
                            NamePattern::make(Regex));
  const NameTable *Names =
      Line.tables() ? Line.tables()->entityNames() : nullptr;
  std::vector<uint32_t> Found;
  std::string Text;
  for (uint32_t Id = 0; Id != X.entityCount(); ++Id) {
    if (isInterrupted())
      return interruptedError();
    Text.clear();
    // With default arguments, as --match of other commands has them.
    if (!Names && !X.entityName(Id, {true, false}, IndexNameBytes, Text))
      return indexFault(X);
    std::string_view Name = Names ? (*Names)[Id] : Text;
    if (!Name.empty() && Pattern.matches(Name))
      Found.push_back(Id);
  }
  return Found;
}

} // namespace

Result<std::vector<uint32_t>> instantrace::entitiesMeant(const Timeline &Line,
                                                         const StopSpec &Spec) {
  if (Spec.Regex.empty())
    return entitiesNamed(Line, Spec.Name);
  try {
    return entitiesLike(Line, Spec.Regex);
  } catch (const PatternLimitError &E) { // the debugger goes on
    return usageError(Error{E.what()});
  }
}

Error instantrace::noEntity(const Timeline &Line, const StopSpec &Spec) {
  return makeError(Line.index().name(),
                   Spec.Regex.empty() ? "no name '" + Spec.Name + "'"
                                      : "no name like '" + Spec.Regex + "'",
                   "one of a template or specialization, or its end; rbreak "
                   "takes a regular expression");
}
