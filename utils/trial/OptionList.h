/// \file
/// Lists of options of a command line, and whether a word is one of them.
///
/// Flow: [OptionList] -> ScratchCommand, LinkCommand
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace instantrace {

template <size_t Count> using OptionList = std::array<std::string_view, Count>;

template <size_t Count>
bool contains(const OptionList<Count> &All, std::string_view Word) {
  return std::find(All.begin(), All.end(), Word) != All.end();
}
template <size_t Count>
bool beginsWithOne(const OptionList<Count> &All, std::string_view Word) {
  return std::any_of(All.begin(), All.end(), [Word](std::string_view Each) {
    return Word.starts_with(Each);
  });
}

} // namespace instantrace
