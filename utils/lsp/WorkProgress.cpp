#include "utils/lsp/WorkProgress.h"

#include "utils/system/SystemClock.h"

#include <utility>

using namespace instantrace;

void WorkProgress::start(std::string NewTitle) {
  end();
  Title = std::move(NewTitle);
  BegunNs = monotonicNs();
}

void WorkProgress::at(std::optional<unsigned> Percent) {
  if (!IsAllowed || !BegunNs)
    return;
  const bool IsFirst = Token.empty();
  if (IsFirst) {
    if (monotonicNs() - *BegunNs < ShownAfterNs)
      return;
    Token = "instantrace-" + Name + "-" + std::to_string(++Count);
    Send(rpcQuestion(Token, "window/workDoneProgress/create",
                     {{"token", Token}}));
  } else if (Percent == Shown) {
    return;
  }
  Shown = Percent;
  RpcJson Value = {{"kind", IsFirst ? "begin" : "report"}};
  if (IsFirst) {
    Value["title"] = "Instantrace: " + Title;
    Value["cancellable"] = true;
  }
  if (Percent)
    Value["percentage"] = *Percent;
  tell(std::move(Value));
}

void WorkProgress::end() {
  BegunNs.reset();
  if (Token.empty())
    return;
  tell({{"kind", "end"}});
  Token.clear();
  Shown.reset();
}

void WorkProgress::tell(RpcJson Value) {
  Send(
      rpcNotice("$/progress", {{"token", Token}, {"value", std::move(Value)}}));
}
