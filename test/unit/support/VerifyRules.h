/// \file
/// Cases of one edit of a good index, and what verify() says of it.
#pragma once

#include "test/unit/support/EditedIndex.h"
#include "test/unit/support/IndexSamples.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace instantrace::test {

struct RuleCase {
  std::function<void(EditedIndex &)> Edit;
  std::string Fault; ///< behind the name of the file
};

template <class T, class M>
RuleCase setting(index::Section Sec, size_t RowNo, M T::*Member,
                 std::type_identity_t<M> Value, std::string Fault) {
  return {[=](EditedIndex &E) { E.set(Sec, RowNo, Member, Value); },
          std::move(Fault)};
}

template <class T>
RuleCase putting(index::Section Sec, size_t RowNo, T Row, std::string Fault) {
  return {[=](EditedIndex &E) { E.setRow(Sec, RowNo, Row); }, std::move(Fault)};
}

template <class T>
RuleCase adding(index::Section Sec, T Row, std::string Fault) {
  return {[=](EditedIndex &E) { E.addRow(Sec, Row); }, std::move(Fault)};
}

inline RuleCase dropping(index::Section Sec, std::string Fault) {
  return {[=](EditedIndex &E) { E.dropRow(Sec); }, std::move(Fault)};
}

/// Also that whoever asks without verify() gets an answer or an error.
inline void expectFault(const std::string &Bytes, const std::string &Fault) {
  SCOPED_TRACE(Fault);
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Why;
  EXPECT_FALSE(X.verify());
  EXPECT_EQ(X.fault(), "x.itx: " + Fault);
  InstantiationIndex Asked;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", Asked, Why));
  answers(Asked);
  EXPECT_TRUE(Asked.fault().empty() || Asked.fault().starts_with("x.itx: "));
}

/// Each by itself.
inline void expectFaults(const std::string &Good,
                         const std::vector<RuleCase> &Cases) {
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Good, "x.itx", X, Why)) << Why;
  ASSERT_TRUE(X.verify()) << X.fault();
  ASSERT_EQ(EditedIndex(Good).bytes(), Good);
  for (const RuleCase &C : Cases) {
    EditedIndex E(Good);
    C.Edit(E);
    expectFault(E.bytes(), C.Fault);
  }
}

} // namespace instantrace::test
