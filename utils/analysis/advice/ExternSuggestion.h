/// \file
/// The bodies that an explicit instantiation saves, and what to write for it.
///
/// Flow: ExternTemplate -> ExternCandidate, [suggestExtern] -> Suggestion
#pragma once

#include "utils/analysis/advice/AdviceRule.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace instantrace {

/// Compiles, or specializations, that are named: those that save most.
inline constexpr size_t MostExternShown = 5;

/// What goes with bodies.
struct BodySaving {
  Saving All, Backend;    ///< what LLVM does is part of both
  uint64_t Functions = 0; ///< that LLVM need not be given

  BodySaving &operator+=(const BodySaving &More) {
    All += More.All;
    Backend += More.Backend;
    Functions += More.Functions;
    return *this;
  }
  BodySaving &operator-=(const BodySaving &Less) {
    subtract(All, Less.All);
    subtract(Backend, Less.Backend);
    Functions -= Less.Functions;
    return *this;
  }

private:
  static void subtract(Saving &Whole, const Saving &Less) {
    Whole.LeastNs -= Less.LeastNs;
    Whole.EstimateNs -= Less.EstimateNs;
    Whole.MostNs -= Less.MostNs;
  }
};

/// What the bodies of one compile are.
struct BodiesInCompile {
  SharedText Input;
  uint64_t Bodies = 0;
  BodySaving Saves;
};

struct BodiesInTarget {
  uint64_t Compiles = 0;
  BodySaving Sum, Largest; ///< of the compiles
};

struct ExternCandidate {
  RowName Name;
  RowName Template; ///< that it is a specialization of
  NameKey TemplateKey;
  bool IsFunction = false;
  bool IsSystem = false;
  bool IsUsable = false; ///< a program may instantiate it
  bool IsUnique = false; ///< the function: its name with arguments is enough
  std::string Place;
  std::string Explicit; ///< where it is instantiated explicitly
  uint64_t Compiles = 0;
  /// Those that save most, one more than are shown.
  std::vector<BodiesInCompile> Dearest;
  std::map<std::string, BodiesInTarget> Targets; ///< by name
  uint64_t Avoided = 0;                          ///< bodies that go
  uint64_t Unsure = 0;                           ///< bodies that may be inline
  uint64_t Inline = 0;                           ///< bodies that stay

  /// In each target, one compile has to instantiate it: that which would save
  /// most, if none does so yet.
  BodySaving saves() const {
    BodySaving Sum;
    for (const auto &[Name, Target] : Targets) {
      Sum += Target.Sum;
      if (Explicit.empty())
        Sum -= Target.Largest;
    }
    return Sum;
  }
  bool isShared() const {
    return std::any_of(Targets.begin(), Targets.end(), [this](const auto &T) {
      return T.second.Compiles > (Explicit.empty() ? 1 : 0);
    });
  }

  void keepNames(MergedNames &Names) {
    Name = Names.add(Name);
    Template = Names.add(Template);
  }
  void add(ExternCandidate More, MergedNames &);
};

/// A candidate that is worth it.
struct ExternPart {
  const ExternCandidate *Row;
  std::string Name;
  BodySaving Saves;

  /// "template class Box<int>;"; empty: what a trace has of it is not enough.
  std::string definition() const {
    if (!Row->IsFunction)
      return "template class " + Name + ";";
    return Row->IsUnique ? "template decltype(" + Name + ") " + Name + ";" : "";
  }
};

/// Requires: at least one part, all of one template, those that save most
/// first.
Suggestion suggestExtern(const std::vector<ExternPart> &Parts);

} // namespace instantrace
