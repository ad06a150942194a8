#include "runtime/strings/FunctionName.h"

#include "runtime/base/Hash.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace instantrace {

namespace {

/// Of `R ns::f<A>(P) const`, what is before the parameters; all of it where
/// that is not how it looks.
std::string_view withoutParameters(std::string_view Text) {
  std::string_view Rest = Text;
  for (std::string_view Qualifier : {" &&", " &", " volatile", " const"})
    if (Rest.size() >= Qualifier.size() &&
        Rest.substr(Rest.size() - Qualifier.size()) == Qualifier)
      Rest.remove_suffix(Qualifier.size());
  unsigned Depth = 0;
  for (size_t Index = Rest.size(); Index-- != 0;) {
    Depth += Rest[Index] == ')';
    if (Depth == 0)
      break; // it does not end in a list
    Depth -= Rest[Index] == '(';
    if (Depth == 0)
      return Rest.substr(0, Index);
  }
  return Text;
}

/// Of `R ns::f<A>`, the name: a function template has its type before it.
std::string_view withoutReturnType(std::string_view Text) {
  constexpr std::string_view Operator = "operator";
  unsigned Depth = 0;
  size_t Begin = 0;
  for (size_t Index = 0; Index != Text.size(); ++Index) {
    if (Depth == 0 && Text.substr(Index, Operator.size()) == Operator)
      break; // whose symbol is no bracket
    if (std::string_view("<({[").find(Text[Index]) != std::string_view::npos)
      ++Depth;
    else if (std::string_view(">)}]").find(Text[Index]) !=
                 std::string_view::npos &&
             Depth != 0)
      --Depth;
    else if (Text[Index] == ' ' && Depth == 0)
      Begin = Index + 1;
  }
  return Text.substr(Begin);
}

} // namespace

std::string shownFunctionName(std::string_view LinkageName) {
  // The demangler recurses as deep as the name nests.
  constexpr size_t LongestDemangled = 2048;
  constexpr size_t ShownOfLonger = 200;
  std::string Name(LinkageName.substr(0, LinkageName.size() > LongestDemangled
                                             ? ShownOfLonger
                                             : LongestDemangled));
  if (LinkageName.size() > LongestDemangled) {
    std::array<char, 24> Hash{};
    std::snprintf(Hash.data(), Hash.size(), "… #%" PRIx64,
                  hashBytes(LinkageName));
    return Name + Hash.data();
  }
  // What is no function's name is shown whole: `__cxx_global_var_init.1`.
  if (Name.compare(0, 2, "_Z") != 0)
    return Name;
  // Not LLVM's, which ends the compiler when there is no memory.
  int Status = 0;
  std::unique_ptr<char, decltype(&std::free)> Text(
      abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status), &std::free);
  if (!Text)
    return Name;
  return std::string(withoutReturnType(withoutParameters(Text.get())));
}

} // namespace instantrace
