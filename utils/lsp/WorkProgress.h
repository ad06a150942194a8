/// \file
/// What an editor shows while something takes long.
///
/// Flow:  LspServer -> [WorkProgress] -> $/progress
/// Harm:  nothing is shown of what takes less than ShownAfterNs
///
/// A client takes messages in their order, so nobody waits for its word that it
/// has made the progress that it is asked for.
#pragma once

#include "utils/rpc/JsonRpc.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace instantrace {

class WorkProgress {
public:
  static constexpr uint64_t ShownAfterNs = 300'000'000;

  /// \p Send must outlive it. \p Name is no other one's.
  WorkProgress(const std::function<void(const RpcJson &)> &Send,
               std::string Name)
      : Send(Send), Name(std::move(Name)) {}

  /// The client shows it.
  void allow() { IsAllowed = true; }
  /// Whether the user has ended what is shown under that token.
  bool isCancelledBy(const std::string &Given) const {
    return !Token.empty() && Token == Given;
  }
  void start(std::string Title);
  bool isStarted() const { return BegunNs.has_value(); }
  /// Often. None: nobody knows how far it is.
  void at(std::optional<unsigned> Percent);
  void end();

private:
  void tell(RpcJson Value);

  const std::function<void(const RpcJson &)> &Send;
  const std::string Name;
  std::string Title;
  bool IsAllowed = false;
  std::optional<uint64_t> BegunNs; ///< of the monotonic clock; none: it has not
  std::string Token;               ///< empty: nothing is shown
  std::optional<unsigned> Shown;
  uint64_t Count = 0; ///< that were shown
};

} // namespace instantrace
