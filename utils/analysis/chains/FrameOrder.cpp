#include "utils/analysis/chains/FrameOrder.h"

using namespace instantrace;

bool FrameOrder::isBefore(uint32_t A, uint32_t B) {
  for (; A != B; A = Tree[A].Outer, B = Tree[B].Outer) {
    if (A == ChainTree::None || B == ChainTree::None)
      return A == ChainTree::None;
    if (const TieText &One = text(A), &Other = text(B); One != Other)
      return One < Other;
    if (int Order = Tree.comparePlaces(A, B); Order != 0)
      return Order < 0;
    if (Tree[A].IsLate != Tree[B].IsLate)
      return Tree[B].IsLate;
  }
  return false;
}

const TieText &FrameOrder::text(uint32_t Node) {
  auto [Found, IsNew] = Texts.try_emplace(Tree[Node].Group);
  if (IsNew)
    Found->second = tieText(T, Tree.frame(Node).What);
  return Found->second;
}
