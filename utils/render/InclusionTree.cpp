#include "utils/render/InclusionTree.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/render/JsonText.h"

#include <algorithm>
#include <vector>

using namespace instantrace;

namespace {

void writeLine(Output &Out, const Sequence &S, const Inclusion &I,
               size_t Depth) {
  std::string &Text = Out.buffer();
  Text.append(2 * std::min(Depth, DeepestIndent), ' ');
  appendPrintable(Text, S.Names.text(I.Path, ShownPathBytes));
  const char *Separator = "  ";
  if (I.LineNo != 0) {
    Text.append("  included at " + std::to_string(I.LineNo));
    if (I.ColumnNo != 0)
      Text.append(":" + std::to_string(I.ColumnNo));
    Separator = ", ";
  }
  if (I.IsSystem)
    Text.append(Separator).append("system");
  Text.push_back('\n');
  Out.lineDone();
}

} // namespace

void instantrace::writeInclusionTree(Output &Out, const Sequence &S) {
  // By the inclusion they are in; a reader made sure that it is an earlier one.
  std::vector<std::vector<uint32_t>> Children(S.Inclusions.size() + 1);
  for (size_t Id = S.Inclusions.size(); Id != 0; --Id)
    Children[S.Inclusions[Id - 1].Includer.Value].push_back(
        static_cast<uint32_t>(Id));
  // Ids are in the order in which locations needed them.
  for (std::vector<uint32_t> &Siblings : Children)
    std::stable_sort(
        Siblings.begin(), Siblings.end(), [&S](uint32_t A, uint32_t B) {
          return S.Inclusions[A - 1].LineNo > S.Inclusions[B - 1].LineNo;
        });
  struct Pending {
    uint32_t Id;
    size_t Depth;
  };
  std::vector<Pending> Stack;
  auto Push = [&](uint32_t Parent, size_t Depth) {
    for (uint32_t Child : Children[Parent]) // so that the first is on top
      Stack.push_back({Child, Depth});
  };
  for (Push(0, 0); !Stack.empty();) {
    Pending Next = Stack.back();
    Stack.pop_back();
    writeLine(Out, S, S.Inclusions[Next.Id - 1], Next.Depth);
    Push(Next.Id, Next.Depth + 1);
  }
}

void instantrace::writeInclusionJson(Output &Out, const Sequence &S) {
  for (size_t Index = 0; Index != S.Inclusions.size(); ++Index) {
    const Inclusion &I = S.Inclusions[Index];
    {
      JsonObject Object(Out.buffer());
      Object.number("inclusion", Index + 1);
      Object.text("file", S.Names.text(I.Path, ShownPathBytes));
      Object.number("included_from", I.Includer.Value);
      Object.number("line", I.LineNo);
      Object.number("column", I.ColumnNo);
      Object.boolean("system", I.IsSystem);
    }
    Out.buffer().push_back('\n');
    Out.lineDone();
  }
}
