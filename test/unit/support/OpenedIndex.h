/// \file
/// An index of bytes that a test has.
#pragma once

#include "test/unit/support/IndexSamples.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace instantrace::test {

/// With the bytes that it reads.
struct Opened : InstantiationIndex {
  explicit Opened(std::string Source) : Bytes(std::move(Source)) {
    std::string Why;
    EXPECT_TRUE(fromBytes(Bytes, "x.itx", *this, Why)) << Why;
  }
  const std::string Bytes;
};

inline std::vector<uint32_t> stackAt(const InstantiationIndex &X,
                                     uint64_t TimeNs) {
  std::vector<uint32_t> Ids;
  EXPECT_TRUE(X.stackAt(0, TimeNs, Ids)) << X.fault();
  return Ids;
}

} // namespace instantrace::test
