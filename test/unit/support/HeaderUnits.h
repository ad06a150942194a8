/// \file
/// Compiles that read headers, for rules of advice about these.
///
/// Flow: a test -> [HeaderUnit] -> AdviceBuilder -> Trace; sources by path
#pragma once

#include "test/unit/support/AdviceBuilder.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace instantrace::test {

/// A file that is read, with what it includes; below /usr/ it is a system
/// header.
struct ReadFile {
  std::string Path;
  uint64_t SelfNs = 0;
  std::vector<ReadFile> Includes = {};
  uint32_t LineNo = 1; ///< of the #include
};

/// A class template's specialization, asked for in a file.
struct Instantiated {
  std::string Name, DeclaredIn, AskedIn;
};

/// The trace of one compile, which takes 10,000 ns beside its files.
inline std::string unitOf(uint32_t Id, const ReadFile &Main,
                          const std::vector<Instantiated> &Classes = {}) {
  AdviceBuilder B(Id, Main.Path);
  auto read = [&B](auto &Self, const ReadFile &File, const std::string &Source,
                   uint32_t Outer, uint32_t &Inclusions) -> void {
    B.inclusion(File.Path, Outer, File.Path.starts_with("/usr/"));
    uint32_t Own = ++Inclusions;
    uint32_t Index = Source.empty() ? 0 : B.location(Source, File.LineNo);
    B.begin(EventKind::FileInclusion,
            B.entity(File.Path, "", proto::ENTITY_FILE), Index);
    for (const ReadFile &Inner : File.Includes)
      Self(Self, Inner, File.Path, Own, Inclusions);
    B.end(File.SelfNs);
  };
  B.begin(EventKind::Frontend);
  uint32_t Inclusions = 0;
  read(read, Main, "", 0, Inclusions);
  for (const Instantiated &C : Classes)
    B.definition(B.entity(C.Name, C.Name, proto::ENTITY_CLASS, C.DeclaredIn), 0,
                 B.location(C.AskedIn, 9));
  B.end(10000);
  return B.bytes();
}

/// By path; what has none is not there.
inline SourceReader sourcesOf(std::map<std::string, std::string> Texts) {
  return
      [Texts = std::move(Texts)](const std::string *, const std::string &Path) {
        auto Found = Texts.find(Path);
        return Found == Texts.end() ? nullptr : &Found->second;
      };
}

} // namespace instantrace::test
