/// \file
/// What a function is called, of its linkage name.
///
/// Flow:    linkage name -> [shownFunctionName] -> rows of functions
/// Source:  the Itanium C++ ABI; the demangler is the C++ library's, which has
///          no memory of its own and gives up where there is none
/// Threads: any
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

/// `ns::f<int>` of `_ZN2ns1fIiEEvv`, without return type and parameters. The
/// linkage name itself where it is no such name; of a very long one its begin
/// and its hash.
std::string shownFunctionName(std::string_view LinkageName);

} // namespace instantrace
