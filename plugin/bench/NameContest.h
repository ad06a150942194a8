/// \file
/// Names every entity of a compile in several ways, one after the other and
/// several times, and measures each.
///
/// Flow:    NameBenchmark -> [NameContest] -> JSON, texts, dictionary packets
/// Clock:   CPU time of the thread
/// Fair:    all have the same entities, the same AST and the same printing
///          policy; the order rotates from round to round; what a contestant
///          frees in the end is not part of its time
#pragma once

#include "plugin/names/NameBuilder.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// What a compile asks names for.
struct NameRequests {
  std::vector<const clang::NamedDecl *> Entities; ///< each once, as met
  struct Event {
    uint32_t Entity : 31; ///< index in Entities
    uint32_t IsHit : 1;   ///< memoized: nothing was instantiated
  };
  std::vector<Event> Events; ///< each begin and each memoized hit
  uint64_t Hits = 0;
};

struct ContestSettings {
  unsigned Rounds = 5;
  /// A contestant that prints at events is stopped after so long, and does not
  /// take part in later rounds.
  unsigned CapSeconds = 10;
  /// So many more times names are built before the rounds, for a sampling
  /// profiler to look at.
  unsigned Repetitions = 0;
};

class NameContest {
public:
  /// Both must outlive the contest.
  NameContest(const clang::ASTContext &Context, const NameRequests &Requests,
              ContestSettings Settings)
      : Context(Context), Requests(Requests), Settings(Settings) {}

  /// Writes members of the object that \p Json is in.
  void run(llvm::json::OStream &Json);

  // Valid after run().
  /// What Clang prints for each entity, a NUL byte after each.
  const std::string &texts() const { return Texts; }
  /// The packets that hold our names and template sets.
  const std::string &dictionary() const { return Dictionary; }

private:
  void nameAll(NameBuilder &Names) const;
  void buildNames(llvm::json::OStream &Json, bool IsLast);
  void printEach(llvm::json::OStream &Json);
  struct PrintedAtEvents {
    const char *Name;
    bool WithHits;
    bool IsOut = false; ///< was stopped in an earlier round
  };
  void printAtEvents(llvm::json::OStream &Json, PrintedAtEvents &Contestant);
  void compareTexts(llvm::json::OStream &Json, const StringTable &Strings,
                    NameBuilder &Names);
  void measureLookups(llvm::json::OStream &Json, NameBuilder &Names);
  void measureTextLookups(llvm::json::OStream &Json);

  const clang::ASTContext &Context;
  const NameRequests &Requests;
  const ContestSettings Settings;
  std::string Texts, Dictionary;
  std::vector<size_t> TextEnds; ///< in Texts, of each entity
};

} // namespace instantrace
