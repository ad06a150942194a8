#include "utils/cli/NameOptions.h"

#include "utils/render/Diagnostics.h"

using namespace instantrace;

namespace {

/// \p What are in the output, in the singular; \p Effect of the limit.
void noteIfLess(uint64_t LimitBytes, uint64_t UsualBytes,
                const std::string &What, const std::string &Effect) {
  if (LimitBytes < UsualBytes)
    printNote("together the " + What + "s are far larger than the traces, so " +
              Effect + "; --max-" + What + "=" + std::to_string(UsualBytes) +
              " shows as much as usual");
}

} // namespace

void instantrace::addNameOptions(CLI::App &Command, NameStyle &Style) {
  constexpr const char *Group = "Names";
  Command
      .add_flag("--default-args", Style.DefaultArguments,
                "show template arguments that equal their defaults; JSON "
                "always has them")
      ->group(Group);
  Command
      .add_flag("--parameters", Style.Parameters,
                "show the parameters of functions, if the trace has them")
      ->group(Group);
  Command
      .add_flag_callback(
          "--strip-args", [&Style] { Style.Arguments = false; },
          "leave out template arguments")
      ->group(Group);
}

static uint64_t noted(uint64_t Limit, const NameBudget &Budget) {
  noteIfLess(Limit, Budget.UsualBytes, "name",
             "each is cut after " + std::to_string(Limit) + " bytes");
  return Limit;
}

uint64_t instantrace::nameLimitBytes(uint64_t AskedBytes, const Trace &T,
                                     const NameBudget &Budget) {
  return AskedBytes != 0 ? AskedBytes
                         : noted(affordableNameBytes(T, Budget), Budget);
}

uint64_t instantrace::nameLimitBytes(uint64_t AskedBytes,
                                     const NameSizes &Sizes,
                                     const NameBudget &Budget) {
  return AskedBytes != 0 ? AskedBytes
                         : noted(Sizes.affordableBytes(Budget), Budget);
}

uint64_t instantrace::pathLimitBytes(uint64_t AskedBytes, const Trace &T,
                                     const PathBudget &Budget) {
  if (AskedBytes != 0)
    return AskedBytes;
  uint64_t Limit = affordablePathBytes(T, Budget);
  noteIfLess(Limit, Budget.UsualBytes, "path",
             "of each at most the last " + std::to_string(Limit) +
                 " bytes are shown");
  return Limit;
}
