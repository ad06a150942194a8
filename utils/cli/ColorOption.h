/// \file
/// --color, the same for each command that prints text for people.
///
/// Flow: command line -> [addColorOption] -> Terminal
#pragma once

#include "utils/cli/Choices.h"
#include "utils/render/Terminal.h"

namespace instantrace {

inline constexpr Choice<ColorChoice> ColorChoices[] = {
    {"auto", ColorChoice::Auto},
    {"always", ColorChoice::Always},
    {"never", ColorChoice::Never},
};

inline void addColorOption(CLI::App &Command) {
  addChoice(Command, "--color", ColorChoices, colorChoice(),
            "bold and dim text; auto, the default, on a terminal that is not "
            "dumb and without NO_COLOR");
}

} // namespace instantrace
