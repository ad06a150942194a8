/// \file
/// What exec takes of words, and what a process took.
#pragma once

#include <cstdint>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace instantrace {

/// With a null behind the last one. Valid as long as \p Words.
inline std::vector<char *>
execArguments(const std::vector<std::string> &Words) {
  std::vector<char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(const_cast<char *>(Word.c_str()));
  Pointers.push_back(nullptr);
  return Pointers;
}

/// Of a rusage.
inline uint64_t nanoseconds(const timeval &Time) {
  return uint64_t(Time.tv_sec) * 1'000'000'000 + uint64_t(Time.tv_usec) * 1000;
}

} // namespace instantrace
