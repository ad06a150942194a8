/// \file
/// Tells Clang from other compilers, by what each says of its version.
///
/// Flow:   name or path of a program -> [CompilerProbe] -> kind, major
/// Errors: none; what cannot be told has a kind as well
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

enum class CompilerKind {
  Clang,
  AppleClang, ///< has numbers of its own
  Gcc,
  Unknown, ///< says something else
  Silent,  ///< cannot be run, fails, or does not end
};

struct Compiler {
  CompilerKind Kind = CompilerKind::Silent;
  int Major = 0;       ///< of a Clang
  std::string Version; ///< the first line of what it says, or why it is silent
};

/// Whether a file is called as compilers of C and C++ are: clang++-22, g++,
/// x86_64-linux-gnu-gcc-12, cc. Others are not asked: who knows what they do.
bool isCompilerName(std::string_view FileName);

/// Runs `PROGRAM --version`.
Compiler probeCompiler(const std::string &Program);

/// "14, 15 and 22"; "none" of none.
std::string majorsText(const std::vector<int> &Majors);

/// Why \p C has no profile where there are modules for \p Majors; empty: it
/// has.
std::string whyNoProfile(const Compiler &C, const std::vector<int> &Majors);

/// What makes a module for this Clang.
std::string moduleTodo(int Major);

} // namespace instantrace
