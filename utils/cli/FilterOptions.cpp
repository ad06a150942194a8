#include "utils/cli/FilterOptions.h"

#include "utils/cli/Amounts.h"
#include "utils/cli/Choices.h"
#include "utils/open/TraceInputs.h"

using namespace instantrace;

namespace {

constexpr Choice<EntityLevel> Levels[] = {
    {"specialization", EntityLevel::Specialization},
    {"template", EntityLevel::Template},
    {"class", EntityLevel::Class},
    {"namespace", EntityLevel::Namespace},
    {"library", EntityLevel::Library},
};

constexpr Choice<EventClock> Clocks[] = {
    {"cpu", EventClock::Processor},
    {"wall", EventClock::Wall},
};

} // namespace

void instantrace::addClockOption(CLI::App &Command) {
  addChoice(Command, "--clock", Clocks, eventClock(),
            "which times are shown: those on a processor (default), or those "
            "on the wall, with what a compile waited");
}

FilterOptions instantrace::addFilterOptions(CLI::App &Command,
                                            FilterSpec &Spec) {
  addClockOption(Command);
  constexpr const char *Group = "Filters";
  FilterOptions Options{};
  Options.Match =
      Command.add_option("--match", Spec.Match,
                         "only names that match this regular expression "
                         "(PCRE2's syntax, as Perl's "
                         "and grep -P's), or glob:PATTERN with * and ?; "
                         "default arguments are part "
                         "of a name; may be repeated, then any may match");
  Options.Exclude = Command.add_option(
      "--exclude", Spec.Exclude,
      "leave out names that match, given as for --match; may be repeated");
  Options.Kind = Command.add_option(
      "--kind", Spec.Kinds,
      "only events of this kind, such as TemplateInstantiation, or group of "
      "kinds, such as constraint; may be repeated");
  Options.In =
      Command.add_option("--in", Spec.In,
                         "only what is requested in this file or folder, given "
                         "by its full path or the end of it; may be repeated");
  Options.MinTime = Command.add_option_function<std::string>(
      "--min-time",
      [&Spec](const std::string &Text) {
        Result<uint64_t> Ns = parseDuration(Text);
        if (!Ns)
          throw CLI::ValidationError("--min-time", Ns.error().Message);
        Spec.MinTimeNs = *Ns;
      },
      "only intervals that take at least this long, such as 10ms");
  Options.NoSystem =
      Command.add_flag("--no-system", Spec.NoSystem,
                       "leave out what is requested in system headers");
  Options.Level = addChoice(Command, "--level", Levels, Spec.Level,
                            "what --match and --exclude compare names of");
  for (CLI::Option *Repeated :
       {Options.Match, Options.Exclude, Options.Kind, Options.In})
    Repeated->take_all()->expected(1)->allow_extra_args(false);
  for (CLI::Option *Option :
       {Options.Match, Options.Exclude, Options.Kind, Options.In,
        Options.MinTime, Options.NoSystem, Options.Level})
    Option->group(Group);
  return Options;
}

Result<TraceFilter> instantrace::usableFilter(const FilterSpec &Spec) {
  INSTANTRACE_TRY_ASSIGN_AS(usageError, TraceFilter Filter,
                            TraceFilter::make(Spec));
  return Filter;
}
