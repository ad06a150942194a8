/// \file
/// Works on many things at once, and takes the results in their order, so that
/// what is made of them is the same however many threads there are.
///
/// Flow:    number of a thing -> Work, on any thread -> Use, on the caller's
/// Threads: one for each processor, beside the caller's; what cannot be had is
///          done without, down to none
/// Errors:  what Work throws is thrown by the call, when its turn has come
/// Memory:  results that wait for their turn: AheadOfEachThread for each thread
///          at most, of MostBytesAhead together, or of one that is larger
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace instantrace {

struct OrderedWork {
  /// Of each thing, in the order of their use: about how large it is.
  std::vector<uint64_t> SizesBytes;
  /// Makes the result of the thing with that index, and keeps it.
  std::function<void(size_t Index)> Work;
  /// Takes it; false: the others are not wanted.
  std::function<bool(size_t Index)> Use;
  /// Called now and then while there is nothing to use. May be empty.
  std::function<void()> Waiting;

  static constexpr uint64_t MostBytesAhead = uint64_t(1) << 25;
  static constexpr unsigned AheadOfEachThread = 2;
};

/// \p MostThreads 0: one for each processor. Work of one thread runs on the
/// caller's.
void workInOrder(const OrderedWork &All, unsigned MostThreads = 0);

} // namespace instantrace
