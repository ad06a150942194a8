// Which templates a program may be advised to instantiate explicitly.
#include "utils/analysis/advice/Ownership.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace instantrace;

namespace {

TEST(OwnershipTest, ReservedNamesAreNobodysToInstantiate) {
  EXPECT_TRUE(isReservedName("__gnu_cxx::__to_xstring<std::string, char>"));
  EXPECT_TRUE(isReservedName("std::_Rb_tree<app::Key>"));
  EXPECT_TRUE(isReservedName("app::X<int>::_Impl"));
  EXPECT_FALSE(isReservedName("app::f_X__y<std::_Vector>"));
  EXPECT_FALSE(isReservedName("_app::f<int>"))
      << "in the global namespace only";
}

TEST(OwnershipTest, ATypeOfTheProgramIsWhatIsNeither) {
  EXPECT_TRUE(dependsOnProgram("std::vector<Key>"));
  EXPECT_TRUE(dependsOnProgram("std::map<int, const app::Key *>"));
  EXPECT_TRUE(dependsOnProgram("boost::variant<std::vector<app::A>>"));
  EXPECT_FALSE(dependsOnProgram("std::vector<unsigned long long>"));
  EXPECT_FALSE(dependsOnProgram("std::map<std::string, std::pair<int, 3UL>>"));
  EXPECT_FALSE(
      dependsOnProgram("boost::variant<boost::detail::x, std::pair<char, "
                       "boost::y>>"));
  EXPECT_FALSE(dependsOnProgram("std::function<void (__gnu_cxx::x)>"));
  EXPECT_FALSE(dependsOnProgram("app::f"));
}

TEST(OwnershipTest, DetailsOfALibraryAreItsOwn) {
  EXPECT_TRUE(isInternalName("testing::internal::Matcher<app::A>"));
  EXPECT_TRUE(isInternalName("boost::x::detail::f<int>"));
  EXPECT_TRUE(isInternalName("std::_Tuple_impl<0, int>"));
  EXPECT_FALSE(isInternalName("lib::cell<lib::detail::x>"));
  EXPECT_FALSE(
      isProgramsToInstantiate("testing::internal::Matcher<app::A>", true));
  EXPECT_TRUE(isProgramsToInstantiate("app::detail::Matcher<app::A>", false))
      << "the program's own";
}

TEST(OwnershipTest, WhatASystemHeaderOwnsNeedsOne) {
  EXPECT_TRUE(isProgramsToInstantiate("app::X<int>", false));
  EXPECT_FALSE(isProgramsToInstantiate("boost::X<int>", true));
  EXPECT_TRUE(isProgramsToInstantiate("boost::X<app::A>", true));
  EXPECT_FALSE(isProgramsToInstantiate("std::vector<int>", false))
      << "where the trace does not say whose header it is";
  EXPECT_TRUE(isProgramsToInstantiate("std::vector<app::A>", true));
  EXPECT_FALSE(isProgramsToInstantiate("std::_Rb_tree<app::A>", true));
}

} // namespace
