/// \file
/// What the names of a compile cost in bytes, kept in several ways: as flat
/// text, in Templight's dictionary, and in ours; each as it is and with zstd.
///
/// usage: instantrace-bench-names TEXTS DICTIONARY
///
/// TEXTS has a NUL byte after each name, DICTIONARY our packets. Prints one
/// line of JSON.
#include "utils/bench/names/TemplightDictionary.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <zstd.h>

using namespace instantrace;

namespace {

constexpr int ZstdLevel = 3;

std::optional<std::string> readFile(const char *Path) {
  std::ifstream File(Path, std::ios::binary);
  std::string Bytes{std::istreambuf_iterator<char>(File), {}};
  if (!File.is_open() || File.bad()) {
    std::fprintf(stderr, "instantrace-bench-names: cannot read %s\n", Path);
    return std::nullopt;
  }
  return Bytes;
}

size_t zstdBytes(const std::string &Bytes) {
  std::string Out(ZSTD_compressBound(Bytes.size()), '\0');
  return ZSTD_compress(Out.data(), Out.size(), Bytes.data(), Bytes.size(),
                       ZstdLevel);
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 3) {
    std::fputs("usage: instantrace-bench-names TEXTS DICTIONARY\n", stderr);
    return 2;
  }
  std::optional<std::string> Texts = readFile(Arguments[1]);
  std::optional<std::string> Ours = readFile(Arguments[2]);
  if (!Texts || !Ours)
    return 1;

  std::unordered_set<std::string_view> Distinct;
  TemplightDictionary Templight;
  std::string Flat;
  size_t LongestBytes = 0;
  for (size_t Begin = 0; Begin < Texts->size();) {
    size_t End = Texts->find('\0', Begin);
    if (End == std::string::npos) {
      std::fprintf(stderr, "%s: no NUL byte after the last name\n",
                   Arguments[1]);
      return 1;
    }
    std::string_view Name = std::string_view(*Texts).substr(Begin, End - Begin);
    Begin = End + 1;
    if (!Distinct.insert(Name).second)
      continue;
    LongestBytes = std::max(LongestBytes, Name.size());
    Flat.append(Name).push_back('\n');
    Templight.add(Name);
  }
  std::printf("{\"distinct\": %zu, \"longest_bytes\": %zu, "
              "\"flat_bytes\": %zu, \"flat_zstd_bytes\": %zu, "
              "\"templight_entries\": %zu, \"templight_bytes\": %zu, "
              "\"templight_zstd_bytes\": %zu, "
              "\"ours_bytes\": %zu, \"ours_zstd_bytes\": %zu}\n",
              Distinct.size(), LongestBytes, Flat.size(), zstdBytes(Flat),
              Templight.size(), Templight.bytes().size(),
              zstdBytes(Templight.bytes()), Ours->size(), zstdBytes(*Ours));
  return 0;
}
