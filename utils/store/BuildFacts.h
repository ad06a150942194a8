/// \file
/// What a store knows of a build as a whole: a row of `builds`.
///
/// Flow: session -> SessionAdding -> [BuildFacts] -> Store
#pragma once

#include <cstdint>
#include <string>

namespace instantrace {

struct BuildFacts {
  std::string Session; ///< what no two sessions have in common
  std::string Content; ///< hash of its traces
  std::string Commit, Branch, Author, State, Command, Clang, Host, Machine,
      System;
  uint64_t BegunNs = 0, ExitCode = 0, WallNs = 0, UserNs = 0, SystemNs = 0,
           Units = 0, Missing = 0, AddedNs = 0;
  bool IsModified = false;

  /// The columns behind `session`.
  static constexpr const char *Columns =
      "content, begun_ns, commit_id, branch, author, modified, state, "
      "exit_code, command, clang, host, machine, system, wall_ns, user_ns, "
      "system_ns, units, missing, added_ns";
  /// Gives their values, in this order.
  void forEachColumn(auto &&Text, auto &&Number) const {
    Text(Content);
    Number(BegunNs);
    for (const std::string *Each : {&Commit, &Branch, &Author})
      Text(*Each);
    Number(uint64_t(IsModified));
    Text(State);
    Number(ExitCode);
    for (const std::string *Each : {&Command, &Clang, &Host, &Machine, &System})
      Text(*Each);
    for (uint64_t Each : {WallNs, UserNs, SystemNs, Units, Missing, AddedNs})
      Number(Each);
  }
};

} // namespace instantrace
