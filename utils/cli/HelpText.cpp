#include "utils/cli/HelpText.h"

#include <algorithm>
#include <string_view>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t HelpTextColumns = 80;
constexpr size_t OptionColumns = 24; ///< before the text of an option
constexpr size_t CommandColumns = 15;

/// The begin of \p Text that fits a line and ends before a space; of a word
/// that is longer, the word.
std::string_view takeHelpLine(std::string_view &Text, size_t Columns) {
  size_t End = Text.size();
  if (End > Columns) {
    End = Text.rfind(' ', Columns);
    if (End == Text.npos || End == 0)
      End = std::min(Text.find(' '), Text.size());
  }
  std::string_view Line = Text.substr(0, End);
  Text.remove_prefix(std::min(Text.find_first_not_of(' ', End), Text.size()));
  return Line;
}

/// \p Text behind \p Head, which has \p Indent columns, or its own line if it
/// needs more; wrapped below itself.
void appendEntry(std::string &Out, std::string Head, std::string_view Text,
                 size_t Indent) {
  if (Head.size() + 2 > Indent) {
    Out += Head + "\n";
    Head.clear();
  }
  while (!Text.empty()) {
    Head.resize(Indent, ' ');
    Out += Head;
    Out += takeHelpLine(Text, HelpTextColumns - Indent);
    Out += '\n';
    Head.clear();
  }
}

/// Paragraphs are lines already.
void appendText(std::string &Out, std::string_view Text) {
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    Text.remove_prefix(std::min(End + 1, Text.size()));
    if (Line.empty())
      Out += '\n';
    while (!Line.empty()) {
      Out += takeHelpLine(Line, HelpTextColumns);
      Out += '\n';
    }
  }
}

std::string usageLine(const CommandModel &Whole, const CommandModel &Page) {
  std::string Line = "Usage: " + Whole.Name;
  if (!Page.Commands.empty())
    return Line + " COMMAND [options] [arguments]\n";
  Line += " " + Page.Name + " [options]";
  for (const OptionModel &Option : Page.Options)
    if (!Option.Positional.empty())
      Line += " " + Option.Usage;
  return Line + "\n";
}

std::string optionHead(const OptionModel &Option) {
  std::string Head = "  ";
  for (size_t I = 0; I != Option.Names.size(); ++I)
    Head += (I == 0 ? "" : ", ") + Option.Names[I];
  return Option.TakesValue ? Head + " " + Option.ValueName : Head;
}

/// Those of each group, in the order in which the groups come first.
template <class Item, class Append>
void appendGroups(std::string &Out, const std::vector<Item> &Items,
                  const Append &AppendItem) {
  std::vector<std::string_view> Groups;
  for (const Item &I : Items)
    if (std::find(Groups.begin(), Groups.end(), I.Group) == Groups.end())
      Groups.push_back(I.Group);
  for (std::string_view Group : Groups) {
    Out += "\n" + std::string(Group) + ":\n";
    for (const Item &I : Items)
      if (I.Group == Group)
        AppendItem(I);
  }
}

} // namespace

std::string instantrace::helpText(const CommandModel &Whole,
                                  const CommandModel &Page, HelpLength Length) {
  const bool IsShort = Length == HelpLength::Short;
  std::string Out = usageLine(Whole, Page);
  if (!IsShort || Page.Commands.empty()) {
    Out += '\n';
    appendText(Out, Page.Description);
  }
  std::vector<OptionModel> Arguments, Options;
  for (const OptionModel &Option : Page.Options)
    (Option.Names.empty() ? Arguments : Options).push_back(Option);
  if (!Arguments.empty())
    Out += '\n';
  for (const OptionModel &Argument : Arguments)
    appendEntry(Out, "  " + Argument.Positional, Argument.Description,
                OptionColumns);
  std::vector<CommandModel> Commands = Page.Commands;
  size_t Hidden = 0;
  if (Length != HelpLength::All)
    Hidden = std::erase_if(Commands, [&Page](const CommandModel &Command) {
      return Command.Group != Page.Commands.front().Group;
    });
  appendGroups(Out, Commands, [&Out](const CommandModel &Command) {
    appendEntry(Out, "  " + Command.Name, Command.Description, CommandColumns);
  });
  if (Hidden != 0)
    Out += "\n" + std::to_string(Hidden) + " more commands: " + Whole.Name +
           " help -a\n";
  appendGroups(Out, Options, [&Out](const OptionModel &Option) {
    appendEntry(Out, optionHead(Option), Option.Description, OptionColumns);
  });
  if (IsShort)
    Out += "\nMore: " + Whole.Name + (&Page == &Whole ? "" : " " + Page.Name) +
           " --help\n";
  else if (!Page.Footer.empty())
    Out += "\n" + Page.Footer + "\n";
  return Out;
}
