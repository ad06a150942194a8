/// \file
/// The events of a random tree, with names as long as usual.
///
/// Flow: [MadeUpCompile] -> IndexBuilder -> benchmarks
#pragma once

#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace instantrace::bench {

inline constexpr uint32_t None = InstantiationIndex::None;
inline constexpr uint8_t Instantiation = 1;

struct Event {
  uint64_t TimeNs;
  uint32_t Entity; ///< 0: an end
  uint32_t Location;
};

/// Of a program: how many intervals, each of which is measured.
inline std::vector<uint32_t> countsOf(int Argc, char **Argv,
                                      std::vector<uint32_t> Usual) {
  std::vector<uint32_t> Counts;
  for (int I = 1; I != Argc; ++I)
    Counts.push_back(static_cast<uint32_t>(std::atol(Argv[I])));
  return Counts.empty() ? Usual : Counts;
}

/// Begins and ends of \p Count intervals, up to 16 deep.
inline std::vector<Event> randomEvents(uint32_t Count, uint32_t Entities) {
  std::mt19937 Random(1);
  std::vector<Event> Events;
  Events.reserve(size_t(Count) * 2);
  uint64_t Ns = 0;
  uint32_t BeginCount = 0, Depth = 0;
  while (BeginCount != Count || Depth != 0) {
    Ns += 100 + Random() % 2000;
    bool IsBegin = Depth == 0 ||
                   (BeginCount != Count && Depth < 16 && Random() % 100 < 55);
    if (IsBegin)
      Events.push_back({Ns, uint32_t(1 + Random() % Entities),
                        uint32_t(1 + Random() % Entities)});
    else
      Events.push_back({Ns, 0, 0});
    BeginCount += IsBegin;
    Depth += IsBegin ? 1 : -1;
  }
  return Events;
}

struct Names {
  Dictionary Texts;
  IndexBuilder::Tables Rows;
  /// Of each template \p PerTemplate entities; 0: there is one template.
  explicit Names(uint32_t Entities, uint32_t PerTemplate = 0) {
    auto Add = [this](const std::string &Text) {
      Texts.add(Text, {});
      return NameId{Texts.size()};
    };
    NameId File = Add("include/library/detail/header.hpp");
    NameId Set;
    for (uint32_t I = 0; I != Entities; ++I) {
      Rows.Locations.push_back({File, I / 4 + 1, I % 4 * 10 + 1});
      IndexBuilder::EntityIs Is;
      std::string Template = "library::detail::Template";
      if (PerTemplate != 0)
        Template += std::to_string(I / PerTemplate);
      if (I == 0 || (PerTemplate != 0 && I % PerTemplate == 0))
        Set = Add(Template + "<$>");
      Is.Name = Add(Template + "<library::Argument<" + std::to_string(I) +
                    ">, std::pair<int, char>>");
      Is.TemplateSet = Set;
      Is.Kind = 1;
      Rows.Entities.push_back(Is);
    }
    Rows.Names = &Texts;
  }
};

/// One compile of them.
inline void feed(IndexBuilder &Builder, const std::vector<Event> &Events,
                 const Names &N) {
  Builder.beginCompile();
  for (const Event &E : Events)
    if (E.Entity != 0)
      Builder.begin(E.TimeNs, Instantiation, E.Entity, E.Location, None);
    else
      Builder.end(E.TimeNs, {});
  Builder.endCompile({"bench.itrace", "bench.cpp", {}, {}, 1, 0},
                     Events.back().TimeNs, N.Rows);
}

} // namespace instantrace::bench
