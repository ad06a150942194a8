#include "utils/cli/CommandModel.h"

#include <algorithm>
#include <string_view>

using namespace instantrace;

namespace {

/// "{a,b,c}" is how CLI11 describes a set of words.
std::vector<std::string> choicesOf(const CLI::Option &Option) {
  // The check of a choice is an option's first validator, and CLI11 gives
  // validators only of options that may be changed.
  std::string Type;
  try {
    Type =
        const_cast<CLI::Option &>(Option).get_validator(0)->get_description();
  } catch (const CLI::OptionNotFound &) {
    return {};
  }
  std::vector<std::string> Words;
  if (Type.size() < 2 || Type.front() != '{' || Type.back() != '}')
    return Words;
  std::string_view Rest = std::string_view(Type).substr(1, Type.size() - 2);
  while (!Rest.empty()) {
    size_t End = std::min(Rest.find(','), Rest.size());
    Words.emplace_back(Rest.substr(0, End));
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return Words;
}

/// What CLI11 calls a type says too little, and is followed by what it checks.
std::string valueNameOf(const CLI::Option &Option, bool HasChoices) {
  std::string Type = Option.get_type_name();
  Type.resize(std::min(Type.find(':'), Type.size()));
  if (HasChoices)
    return "WORD";
  if (Type == "UINT" || Type == "INT")
    return "N";
  return Type == "FLOAT" ? "NUMBER" : Type;
}

OptionModel optionModel(const CLI::Option &Option) {
  OptionModel Model;
  for (const std::string &Name : Option.get_snames())
    Model.Names.push_back("-" + Name);
  for (const std::string &Name : Option.get_lnames())
    Model.Names.push_back("--" + Name);
  if (Option.get_positional())
    Model.Positional = Option.get_name(/*positional=*/true);
  Model.Usage = positionalUsage(Option);
  Model.Group = Option.get_group();
  Model.Description = Option.get_description();
  Model.Choices = choicesOf(Option);
  Model.TakesValue =
      Option.get_type_size_max() != 0 && Option.get_expected_max() != 0;
  if (Model.TakesValue)
    Model.ValueName = valueNameOf(Option, !Model.Choices.empty());
  Model.IsRequired = Option.get_required();
  return Model;
}

} // namespace

std::string instantrace::positionalUsage(const CLI::Option &Option) {
  std::string Type = Option.get_type_name();
  std::string Text =
      Type.find("...") != std::string::npos
          ? Type
          : Option.get_name(/*positional=*/true) +
                (Option.get_items_expected_max() > 1 ? "..." : "");
  return Option.get_required() ? Text : "[" + Text + "]";
}

CommandModel instantrace::commandModel(const CLI::App &App) {
  CommandModel Model;
  Model.Name = App.get_name();
  Model.Group = App.get_group();
  Model.Description = App.get_description();
  Model.Footer = App.get_footer();
  for (const CLI::Option *Option : App.get_options(
           [](const CLI::Option *O) { return O->get_group() != ""; }))
    Model.Options.push_back(optionModel(*Option));
  for (const CLI::App *Command :
       App.get_subcommands([](const CLI::App *) { return true; }))
    Model.Commands.push_back(commandModel(*Command));
  return Model;
}
