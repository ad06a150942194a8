#include "utils/cli/ShellCompletion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

using namespace instantrace;

namespace {

std::string joined(const std::vector<std::string> &Words) {
  return fmt::format("{}", fmt::join(Words, " "));
}

/// Inside single quotes of any of the three shells, with a bar for what would
/// end a description.
std::string inQuotes(std::string_view Text) {
  std::string Out;
  for (char C : Text) {
    // A typographic one, which no shell takes for its own.
    if (C == '\'')
      Out += "\xE2\x80\x99";
    else if (C == '\n')
      Out += ' ';
    else if (C == '\\')
      Out += "\\\\";
    else
      Out += C;
  }
  return Out;
}

std::vector<std::string> optionNames(const CommandModel &Command) {
  std::vector<std::string> Names;
  for (const OptionModel &Option : Command.Options)
    Names.insert(Names.end(), Option.Names.begin(), Option.Names.end());
  return Names;
}

/// What takes files or text is completed as a file.
std::vector<std::string> positionalWords(const CommandModel &Command) {
  for (const OptionModel &Option : Command.Options)
    if (!Option.Positional.empty() && !Option.Choices.empty())
      return Option.Choices;
  return {};
}

std::string bash(const CommandModel &Whole) {
  std::vector<std::string> Names;
  for (const CommandModel &Command : Whole.Commands)
    Names.push_back(Command.Name);
  std::string Out = fmt::format(
      R"(# bash completion for {0}; source it, or put it where completions are.
_{0}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}} words=
  # bash cuts --by=x at the sign.
  if [[ $cur == = ]]; then cur=
  elif [[ $option == = ]]; then option=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    mapfile -t COMPREPLY < <(compgen -W '{1} {2}' -- "$cur")
    return
  fi
  case "${{COMP_WORDS[1]}} $option" in
)",
      Whole.Name, joined(Names), joined(optionNames(Whole)));
  for (const CommandModel &Command : Whole.Commands)
    for (const OptionModel &Option : Command.Options)
      if (!Option.Choices.empty())
        for (const std::string &Name : Option.Names)
          Out += fmt::format("  '{} {}') words='{}' ;;\n", Command.Name, Name,
                             joined(Option.Choices));
  Out += R"(  esac
  if [[ -z $words ]]; then case "${COMP_WORDS[1]} $cur" in
)";
  for (const CommandModel &Command : Whole.Commands) {
    Out += fmt::format("  '{} -'*) words='{}' ;;\n", Command.Name,
                       joined(optionNames(Command)));
    if (std::vector<std::string> Words = positionalWords(Command);
        !Words.empty())
      Out +=
          fmt::format("  '{} '*) words='{}' ;;\n", Command.Name, joined(Words));
  }
  Out += fmt::format(
      R"(  esac; fi
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    compopt -o filenames 2>/dev/null
  fi
}}
complete -F _{0} {0}
)",
      Whole.Name);
  return Out;
}

/// Inside the brackets of _arguments.
std::string zshDescription(std::string_view Text) {
  std::string Out;
  for (char C : inQuotes(Text)) {
    if (C == '[' || C == ']' || C == ':')
      Out += '\\';
    Out += C;
  }
  return Out;
}

std::string zsh(const CommandModel &Whole) {
  std::string Out = fmt::format(R"(#compdef {0}
# zsh completion for {0}.
_{0}() {{
  if (( CURRENT == 2 )); then
    local -a commands=(
)",
                                Whole.Name);
  for (const CommandModel &Command : Whole.Commands)
    Out += fmt::format("      '{}:{}'\n", Command.Name,
                       zshDescription(Command.Description));
  Out += fmt::format(R"(    )
    _describe command commands
    compadd -- {}
    return
  fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
)",
                     joined(optionNames(Whole)));
  for (const CommandModel &Command : Whole.Commands) {
    Out += fmt::format("  {})\n    _arguments", Command.Name);
    for (const OptionModel &Option : Command.Options)
      for (const std::string &Name : Option.Names) {
        bool IsLong = Name.size() > 2;
        Out += fmt::format(" \\\n      '*{}{}[{}]{}'", Name,
                           Option.TakesValue ? (IsLong ? "=" : "+") : "",
                           zshDescription(Option.Description),
                           !Option.TakesValue ? ""
                           : Option.Choices.empty()
                               ? ":value:_files"
                               : ":word:(" + joined(Option.Choices) + ")");
      }
    std::vector<std::string> Words = positionalWords(Command);
    Out += fmt::format(" \\\n      '*: :{}'\n    ;;\n",
                       Words.empty() ? "_files" : "(" + joined(Words) + ")");
  }
  Out += fmt::format(R"(  esac
}}
# Loaded by compinit, this file is the function's body.
if [[ $funcstack[1] == _{0} ]]; then
  _{0} "$@"
else
  compdef _{0} {0}
fi
)",
                     Whole.Name);
  return Out;
}

std::string fish(const CommandModel &Whole) {
  std::string Out = fmt::format("# fish completion for {}.\n", Whole.Name);
  auto options = [&](const CommandModel &Command, const std::string &When) {
    for (const OptionModel &Option : Command.Options) {
      if (Option.Names.empty())
        continue;
      Out += fmt::format("complete -c {} -n '{}'", Whole.Name, When);
      for (const std::string &Name : Option.Names)
        Out +=
            Name.size() > 2 ? " -l " + Name.substr(2) : " -s " + Name.substr(1);
      if (Option.TakesValue)
        Out += Option.Choices.empty()
                   ? " -r"
                   : " -x -a '" + joined(Option.Choices) + "'";
      Out += fmt::format(" -d '{}'\n", inQuotes(Option.Description));
    }
  };
  options(Whole, "__fish_use_subcommand");
  for (const CommandModel &Command : Whole.Commands) {
    Out += fmt::format(
        "complete -c {} -n __fish_use_subcommand -f -a {} -d '{}'\n",
        Whole.Name, Command.Name, inQuotes(Command.Description));
    std::string When = "__fish_seen_subcommand_from " + Command.Name;
    options(Command, When);
    if (std::vector<std::string> Words = positionalWords(Command);
        !Words.empty())
      Out += fmt::format("complete -c {} -n '{}' -f -a '{}'\n", Whole.Name,
                         When, joined(Words));
  }
  return Out;
}

} // namespace

std::string instantrace::shellCompletion(Shell For, const CommandModel &Whole) {
  switch (For) {
  case Shell::Bash:
    return bash(Whole);
  case Shell::Zsh:
    return zsh(Whole);
  case Shell::Fish:
    return fish(Whole);
  }
  return {};
}
