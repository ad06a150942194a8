#include "utils/render/ChangeAnnotations.h"

#include "runtime/base/Hash.h"
#include "runtime/base/PrintableText.h"
#include "utils/render/BudgetText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"

#include <string_view>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

std::string messageOf(const LineGrowth &G) {
  return std::string(G.Lines.Count > 1 ? "These lines ask for "
                                       : "This line asks for ") +
         groupedText(G.grownBy()) +
         " more intervals of template work and "
         "inclusion than before: " +
         groupedText(G.New.Count) + ", were " + groupedText(G.Old.Count) +
         "; " + timeText(G.New.InclusiveNs) + ", were " +
         timeText(G.Old.InclusiveNs);
}

/// A property ends at a colon or comma, and a command at the end of its line.
std::string escaped(std::string_view Text, bool IsProperty) {
  std::string Out;
  for (char C : Text) {
    const char *Code = C == '%'      ? "%25"
                       : C == '\r'   ? "%0D"
                       : C == '\n'   ? "%0A"
                       : !IsProperty ? nullptr
                       : C == ':'    ? "%3A"
                       : C == ','    ? "%2C"
                                     : nullptr;
    if (Code)
      Out += Code;
    else
      Out.push_back(C);
  }
  return Out;
}

/// A path in Markdown is nobody's links and names.
std::string messageOf(const RebuildGrowth &G, const std::string &Included) {
  const std::string Cost =
      counted(G.New.Units, "unit") + ", " + timeText(G.New.Ns) + " of CPU time";
  return G.Included.empty()
             ? "Whoever takes this change compiles again: " + Cost
             : "By this #include, each change of " + Included +
                   " makes more compile again: " + Cost + "; were " +
                   groupedText(G.Old.Units) + ", " + timeText(G.Old.Ns);
}

struct Annotation {
  const std::string &Path;
  LineRange Lines;
  std::string_view Title;
  std::string Message;
  bool IsNotice = false;

  uint32_t lastLine() const { return Lines.First + Lines.Count - 1; }
};

void writeForGitHub(Output &Out, const std::vector<Annotation> &All) {
  for (const Annotation &A : All) {
    std::string Path;
    appendPrintable(Path, A.Path);
    Out.append((A.IsNotice ? "::notice file=" : "::warning file=") +
               escaped(Path, true) + ",line=" + std::to_string(A.Lines.First) +
               ",endLine=" + std::to_string(A.lastLine()) +
               ",title=" + std::string(A.Title) +
               "::" + escaped(printableText(A.Message), false) + "\n");
  }
}

void writeForGitLab(Output &Out, const std::vector<Annotation> &All) {
  // A fingerprint says whether two commits have the same: lines move.
  std::unordered_map<std::string, unsigned> InFile;
  std::string Text = "[";
  for (const Annotation &A : All) {
    Text += Text.size() > 1 ? ",\n" : "\n";
    const std::string Key = A.Path + (A.IsNotice ? ":rebuilds" : "");
    JsonObject Issue(Text);
    Issue.text("description", std::string(A.Title) + ": " + A.Message);
    Issue.text("check_name", "instantrace");
    Issue.text("fingerprint",
               hashText(hashBytes(Key + ":" + std::to_string(InFile[Key]++))));
    Issue.text("severity", A.IsNotice ? "info" : "minor");
    Issue.name("location");
    JsonObject Place(Text);
    Place.text("path", A.Path);
    Place.name("lines");
    JsonObject Lines(Text);
    Lines.number("begin", A.Lines.First);
    Lines.number("end", A.lastLine());
  }
  Out.append(Text + "\n]\n");
}

void writeMarkdown(Output &Out, const std::vector<Annotation> &All) {
  std::string_view Title;
  for (const Annotation &A : All) {
    if (A.Title != std::exchange(Title, A.Title))
      Out.append("\n#### " + std::string(Title) + "\n\n");
    Out.append("- " +
               markdownCode(A.Path + ":" + std::to_string(A.Lines.First)) +
               ": " + printableText(A.Message) + "\n");
  }
}

} // namespace

void instantrace::writeChangeAnnotations(
    Output &Out, ReviewService For, const std::vector<LineGrowth> &Grown,
    const std::vector<RebuildGrowth> &Rebuilt) {
  std::vector<Annotation> All;
  for (const LineGrowth &G : Grown)
    All.push_back({G.Path, G.Lines, "Costlier templates", messageOf(G)});
  for (const RebuildGrowth &G : Rebuilt)
    All.push_back({G.Path, G.Lines, "Rebuilds",
                   For == ReviewService::Markdown
                       ? messageOf(G, markdownCode(G.Included))
                       : messageOf(G, G.Included),
                   true});
  switch (For) {
  case ReviewService::GitHub:
    return writeForGitHub(Out, All);
  case ReviewService::GitLab:
    return writeForGitLab(Out, All);
  case ReviewService::Markdown:
    return writeMarkdown(Out, All);
  }
}
