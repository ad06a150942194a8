/// \file
/// Which lines of a header a macro turns on.
#include "utils/analysis/advice/ConditionalText.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

/// The numbers of those that are kept with M_ON alone.
std::string linesOn(std::string_view Text) {
  const MacroPart Part = partForMacro(Text, "M_ON", {"M_ON", "OTHER"});
  std::string Lines;
  for (size_t I = 0; I != Part.IsIn.size(); ++I)
    if (Part.IsIn[I] && Part.IsCode[I])
      Lines += std::to_string(I + 1) + " ";
  return Lines;
}

TEST(ConditionalTextTest, AMacroThatFollowsFromItCounts) {
  EXPECT_EQ(linesOn("#if defined(M_ON) || defined M_RUNNER\n"
                    "# define M_IMPL\n"
                    "#endif\n"
                    "int before();\n"
                    "#ifdef M_IMPL\n"
                    "int f() { return 0; }\n"
                    "#else\n"
                    "int g();\n"
                    "#endif\n"),
            "6 ");
}

TEST(ConditionalTextTest, WhatIsNotKnownKeepsALineOutOnlyWithoutTheMacro) {
  EXPECT_EQ(linesOn("#if defined(M_ON) && SIZE > 3\n"
                    "int f();\n"
                    "#elif defined(OTHER)\n"
                    "int g();\n"
                    "#endif\n"
                    "#if defined(ELSEWHERE) || defined(M_ON)\n"
                    "int h();\n"
                    "#endif\n"
                    "#ifndef M_ON\n"
                    "int i();\n"
                    "#endif\n"),
            "2 ")
      << "h() may be there without it";
}

TEST(ConditionalTextTest, CommentsAndLiteralsHaveNoDirectives) {
  EXPECT_EQ(linesOn("/* \n"
                    "#ifdef M_ON\n"
                    "*/\n"
                    "const char *T = \"/*\";\n"
                    "#if \\\n"
                    "  defined(M_ON) // on\n"
                    "int f();\n"
                    "// int g();\n"
                    "#endif\n"),
            "7 ");
}

TEST(ConditionalTextTest, WhatEndsWithASecondReadingIsInTheFirst) {
  EXPECT_EQ(linesOn("#ifndef M_H\n"
                    "#define M_H\n"
                    "int f();\n"
                    "#endif\n"
                    "#if defined(M_ON) && !defined(M_DONE)\n"
                    "#define M_DONE\n"
                    "int f() { return 0; }\n"
                    "#undef M_ON\n"
                    "#endif\n"),
            "7 ");
}

TEST(ConditionalTextTest, NoNestingIsTooDeep) {
  const std::string Deep(1 << 20, '(');
  EXPECT_EQ(linesOn("#if " + Deep + "M_ON\nint f();\n#endif\n"), "");
}

TEST(ConditionalTextTest, AMacroThatIsDefinedEitherWayIsNotForOne) {
  EXPECT_EQ(partForMacro("#ifdef M_ON\n"
                         "#define M_API extern\n"
                         "#define M_LOG(x) x\n"
                         "#else\n"
                         "#define M_API\n"
                         "#endif\n",
                         "M_ON", {})
                .Macros,
            MacroNames{"M_LOG"});
}

TEST(ConditionalTextTest, BlanksMayEndACondition) {
  const std::string Text = "#if defined(M_ON) \n#endif\n"
                           "#if (M_A > 1)\t\r\n#elif (M_B) \\\n \n#endif\n";
  AskedMacros Asked;
  EXPECT_EQ(Asked.in(Text), (MacroNames{"defined", "M_ON", "M_A", "1", "M_B"}));
}

TEST(ConditionalTextTest, ATextMayEndAnywhere) {
  const std::string Text =
      "#if defined(M_ON) && (M_A || !M_B) /* \"x */ \\\n \n"
      "#  define M_C(x) 'a' // \\\n"
      "#elif !M_D \nint f();\n#else\n#undef M_C \n#endif";
  for (size_t Size = 0; Size <= Text.size(); ++Size) {
    const std::string Begin = Text.substr(0, Size);
    AskedMacros Asked;
    EXPECT_LE(Asked.in(Begin).size(), 5u) << Size;
    EXPECT_EQ(partForMacro(Begin, "M_ON", {}).IsIn.size(),
              conditionalText(Begin, {}).IsKept.size())
        << Size;
  }
}

} // namespace
