#include "utils/render/ChangeAnnotations.h"

#include "runtime/base/Hash.h"
#include "runtime/base/PrintableText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"

#include <string_view>
#include <unordered_map>

using namespace instantrace;

namespace {

constexpr std::string_view Title = "Costlier templates";

uint32_t lastLine(const LineGrowth &G) {
  return G.Lines.First + G.Lines.Count - 1;
}

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

void writeForGitHub(Output &Out, const std::vector<LineGrowth> &Grown) {
  for (const LineGrowth &G : Grown) {
    std::string Path;
    appendPrintable(Path, G.Path);
    Out.append("::warning file=" + escaped(Path, true) +
               ",line=" + std::to_string(G.Lines.First) + ",endLine=" +
               std::to_string(lastLine(G)) + ",title=" + std::string(Title) +
               "::" + escaped(messageOf(G), false) + "\n");
  }
}

void writeForGitLab(Output &Out, const std::vector<LineGrowth> &Grown) {
  // A fingerprint says whether two commits have the same: lines move.
  std::unordered_map<std::string, unsigned> InFile;
  std::string Text = "[";
  for (const LineGrowth &G : Grown) {
    Text += Text.size() > 1 ? ",\n" : "\n";
    JsonObject Issue(Text);
    Issue.text("description", std::string(Title) + ": " + messageOf(G));
    Issue.text("check_name", "instantrace");
    Issue.text(
        "fingerprint",
        hashText(hashBytes(G.Path + ":" + std::to_string(InFile[G.Path]++))));
    Issue.text("severity", "minor");
    Issue.name("location");
    JsonObject Place(Text);
    Place.text("path", G.Path);
    Place.name("lines");
    JsonObject Lines(Text);
    Lines.number("begin", G.Lines.First);
    Lines.number("end", lastLine(G));
  }
  Out.append(Text + "\n]\n");
}

} // namespace

void instantrace::writeChangeAnnotations(Output &Out, ReviewService For,
                                         const std::vector<LineGrowth> &Grown) {
  if (For == ReviewService::GitHub)
    writeForGitHub(Out, Grown);
  else
    writeForGitLab(Out, Grown);
}
