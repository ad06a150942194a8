/// \file
/// Options whose value is one of a few words.
///
/// Flow: a table of words -> [addChoice] -> an enumerator
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace instantrace {

template <class Value> struct Choice {
  const char *Name;
  Value Meaning;
};

/// The first word for it. Requires: there is one.
template <class Value, size_t Count>
std::string_view nameOf(const Choice<Value> (&Choices)[Count],
                        std::type_identity_t<Value> Wanted) {
  for (const Choice<Value> &C : Choices)
    if (C.Meaning == Wanted)
      return C.Name;
  return {};
}

/// Both the table and \p Target must live until the command has run. Help is
/// \p Help and the words.
template <class Value, size_t Count, class Target>
CLI::Option *addChoice(CLI::App &Command, const char *Option,
                       const Choice<Value> (&Choices)[Count], Target &Chosen,
                       const std::string &Help) {
  std::vector<std::string> Words;
  for (const Choice<Value> &C : Choices)
    Words.emplace_back(C.Name);
  std::string List;
  for (size_t I = 0; I != Count; ++I)
    List += (I == 0 ? "" : I + 1 == Count ? " or " : ", ") + Words[I];
  // std::function and not the value: CLI11 would print the enum's numbers.
  return Command
      .add_option_function<std::string>(
          Option,
          [&Choices, &Chosen](const std::string &Word) {
            for (const Choice<Value> &C : Choices)
              if (Word == C.Name)
                Chosen = C.Meaning;
          },
          Help + ": " + List)
      ->check(CLI::IsMember(Words));
}

} // namespace instantrace
