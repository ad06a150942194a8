/// \file
/// An answer as a page for a browser, drawn, in one file that loads nothing.
///
/// Flow:   Answer -> [writeAnswerPage] -> FILE.html
/// Trust:  names are anybody's: every text is escaped, and the page's own
///         policy lets no script run
#pragma once

#include "utils/render/Output.h"
#include "utils/store/Answer.h"

namespace instantrace {

void writeAnswerPage(Output &Out, const Answer &A);

} // namespace instantrace
