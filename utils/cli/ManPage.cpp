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

std::string pageName(const CommandModel &Whole, const CommandModel &Of) {
  return Of.Name == Whole.Name ? Whole.Name : Whole.Name + "-" + Of.Name;
}

/// The first sentence, as the list of pages has it.
std::string summaryOf(const CommandModel &Of) {
  std::string Text = Of.Description.substr(0, Of.Description.find('\n'));
  if (!Text.empty() && Text.back() == '.')
    Text.pop_back();
  if (!Text.empty())
    Text[0] =
        static_cast<char>(std::tolower(static_cast<unsigned char>(Text[0])));
  return Text;
}

std::string valueName(const OptionModel &Option) {
  return Option.Choices.empty() ? "VALUE" : "WORD";
}

void appendSynopsis(std::string &Out, const CommandModel &Whole,
                    const CommandModel &Of) {
  Out += ".SH SYNOPSIS\n.B " + roff(Whole.Name);
  if (Of.Name != Whole.Name)
    Out += " " + roff(Of.Name);
  Out += "\n[\\fIoptions\\fR]";
  if (!Of.Commands.empty())
    Out += " \\fIcommand\\fR [...]";
  for (const OptionModel &Option : Of.Options) {
    if (Option.Positional.empty())
      continue;
    Out += " \\fI" + roff(Option.Usage) + "\\fR";
  }
  Out += "\n";
}

void appendOptions(std::string &Out, const CommandModel &Of) {
  Out += ".SH OPTIONS\n";
  for (const OptionModel &Option : Of.Options) {
    Out += ".TP\n";
    if (Option.Names.empty()) {
      Out += "\\fI" + roff(Option.Positional) + "\\fR\n";
    } else {
      for (size_t I = 0; I != Option.Names.size(); ++I)
        Out += (I == 0 ? "\\fB" : ", \\fB") + roff(Option.Names[I]) + "\\fR";
      Out += Option.TakesValue ? " \\fI" + valueName(Option) + "\\fR\n" : "\n";
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
                                 const CommandModel &Of) {
  std::string Name = pageName(Whole, Of);
  std::string Out = ".\\\" Made by `instantrace man`.\n.TH " +
                    roff(upper(Name)) + " 1 \"\" \"Instantrace " +
                    INSTANTRACE_VERSION + "\" \"Instantrace\"\n";
  Out += ".SH NAME\n" + roff(Name) + " \\- " + roff(summaryOf(Of)) + "\n";
  appendSynopsis(Out, Whole, Of);
  Out += ".SH DESCRIPTION\n.nf\n" + roff(Of.Description) + "\n.fi\n";
  if (!Of.Commands.empty()) {
    Out += ".SH COMMANDS\n";
    for (const CommandModel &Command : Of.Commands)
      Out += ".TP\n.B " + roff(Command.Name) + "\n" +
             roff(Command.Description) + "\n";
  }
  appendOptions(Out, Of);
  if (!Of.Footer.empty())
    Out += ".SH NOTES\n.nf\n" + roff(Of.Footer) + "\n.fi\n";
  Out += ".SH \"SEE ALSO\"\n";
  if (Of.Name != Whole.Name) {
    Out += "\\fB" + roff(Whole.Name) + "\\fR(1)\n";
  } else {
    for (size_t I = 0; I != Of.Commands.size(); ++I)
      Out += "\\fB" + roff(pageName(Whole, Of.Commands[I])) + "\\fR(1)" +
             (I + 1 == Of.Commands.size() ? "\n" : ",\n");
  }
  return Out;
}
