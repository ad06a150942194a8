#include "utils/cli/ManPage.h"

#include <algorithm>
#include <cctype>
#include <string_view>

using namespace instantrace;

namespace {

/// Text of any line: no escapes of roff's, and no requests.
std::string roff(std::string_view Text) {
  std::string Out;
  bool IsLineBegin = true;
  for (char C : Text) {
    if (IsLineBegin && (C == '.' || C == '\''))
      Out += "\\&";
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else
      Out += C;
    IsLineBegin = C == '\n';
  }
  return Out;
}

std::string upper(std::string Text) {
  std::transform(Text.begin(), Text.end(), Text.begin(), [](unsigned char C) {
    return static_cast<char>(std::toupper(C));
  });
  return Text;
}

std::string pageName(const CommandModel &Whole, const CommandModel &Page) {
  return Page.Name == Whole.Name ? Whole.Name : Whole.Name + "-" + Page.Name;
}

/// The first sentence, as the list of pages has it.
std::string summaryOf(const CommandModel &Page) {
  std::string Text = Page.Description.substr(0, Page.Description.find('\n'));
  if (!Text.empty() && Text.back() == '.')
    Text.pop_back();
  if (!Text.empty())
    Text[0] =
        static_cast<char>(std::tolower(static_cast<unsigned char>(Text[0])));
  return Text;
}

void appendSynopsis(std::string &Out, const CommandModel &Whole,
                    const CommandModel &Page) {
  Out += ".SH SYNOPSIS\n.B " + roff(Whole.Name);
  if (Page.Name != Whole.Name)
    Out += " " + roff(Page.Name);
  Out += "\n[\\fIoptions\\fR]";
  if (!Page.Commands.empty())
    Out += " \\fIcommand\\fR [...]";
  for (const OptionModel &Option : Page.Options) {
    if (Option.Positional.empty())
      continue;
    Out += " \\fI" + roff(Option.Usage) + "\\fR";
  }
  Out += "\n";
}

void appendOptions(std::string &Out, const CommandModel &Page) {
  Out += ".SH OPTIONS\n";
  for (const OptionModel &Option : Page.Options) {
    Out += ".TP\n";
    if (Option.Names.empty()) {
      Out += "\\fI" + roff(Option.Positional) + "\\fR\n";
    } else {
      for (size_t I = 0; I != Option.Names.size(); ++I)
        Out += (I == 0 ? "\\fB" : ", \\fB") + roff(Option.Names[I]) + "\\fR";
      Out += Option.TakesValue ? " \\fI" + roff(Option.ValueName) + "\\fR\n"
                               : "\n";
    }
    Out += roff(Option.Description) + "\n";
    // Most descriptions list them.
    if (Option.Choices.empty() ||
        Option.Description.find(Option.Choices.back()) != std::string::npos)
      continue;
    Out += "One of";
    for (size_t I = 0; I != Option.Choices.size(); ++I)
      Out += (I == 0 ? " " : ", ") + roff(Option.Choices[I]);
    Out += ".\n";
  }
}

} // namespace

std::string instantrace::manPage(const CommandModel &Whole,
                                 const CommandModel &Page) {
  std::string Name = pageName(Whole, Page);
  std::string Out = ".\\\" Made by `instantrace man`.\n.TH " +
                    roff(upper(Name)) + " 1 \"\" \"Instantrace " +
                    INSTANTRACE_VERSION + "\" \"Instantrace\"\n";
  Out += ".SH NAME\n" + roff(Name) + " \\- " + roff(summaryOf(Page)) + "\n";
  appendSynopsis(Out, Whole, Page);
  Out += ".SH DESCRIPTION\n.nf\n" + roff(Page.Description) + "\n.fi\n";
  if (!Page.Commands.empty()) {
    Out += ".SH COMMANDS\n";
    std::string_view Group;
    for (const CommandModel &Command : Page.Commands) {
      if (Group != Command.Group)
        Out += ".SS " + roff(Command.Group) + "\n";
      Group = Command.Group;
      Out += ".TP\n.B " + roff(Command.Name) + "\n" +
             roff(Command.Description) + "\n";
    }
  }
  appendOptions(Out, Page);
  if (!Page.Footer.empty())
    Out += ".SH NOTES\n.nf\n" + roff(Page.Footer) + "\n.fi\n";
  Out += ".SH \"SEE ALSO\"\n";
  if (Page.Name != Whole.Name) {
    Out += "\\fB" + roff(Whole.Name) + "\\fR(1)\n";
  } else {
    for (size_t I = 0; I != Page.Commands.size(); ++I)
      Out += "\\fB" + roff(pageName(Whole, Page.Commands[I])) + "\\fR(1)" +
             (I + 1 == Page.Commands.size() ? "\n" : ",\n");
  }
  return Out;
}
