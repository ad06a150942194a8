#include "utils/render/IncludeChainText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"

using namespace instantrace;

namespace {

constexpr std::string_view Arrow = " > ";

std::string fileName(const std::string &Step, size_t Columns) {
  return elideName(printableText(Step.substr(Step.rfind('/') + 1)), Columns);
}

std::string leftOut(uint64_t Files) {
  return std::string(Ellipsis) + " " + counted(Files, "file") + " " +
         std::string(Ellipsis);
}

/// An arrow ends the line before the file that it leads to.
std::vector<std::string> wrapped(const std::vector<std::string> &Files,
                                 size_t Columns) {
  std::vector<std::string> Lines(1);
  for (size_t I = 0; I != Files.size(); ++I) {
    size_t Needed = columnsOf(Files[I]) + (I + 1 == Files.size() ? 0 : 2);
    if (!Lines.back().empty()) {
      Lines.back() += " >";
      if (columnsOf(Lines.back()) + 1 + Needed > Columns)
        Lines.emplace_back();
      else
        Lines.back() += " ";
    }
    Lines.back() += Files[I];
  }
  return Lines;
}

} // namespace

std::vector<std::string>
instantrace::includeChainLines(const IncludeChain &Chain, size_t Columns,
                               size_t MostLines) {
  const size_t ForFile = Columns > Arrow.size() ? Columns - Arrow.size() : 1;
  std::vector<std::string> Files;
  uint64_t LeftOut = 0;
  if (Chain.OtherSteps != 0) {
    Files.push_back(fileName(Chain.Outermost, ForFile));
    LeftOut = Chain.OtherSteps - 1;
  }
  for (size_t I = Chain.Steps.size(); I != 0; --I)
    Files.push_back(fileName(Chain.Steps[I - 1], ForFile));
  // The user's end says whose #include it is, and the other one what asks for
  // the file: what is between gives way, from the far end.
  std::vector<std::string> Shown = Files;
  auto Lines = [&] { return wrapped(Shown, Columns); };
  if (LeftOut != 0)
    Shown.insert(Shown.begin() + 1, leftOut(LeftOut));
  std::vector<std::string> Text = Lines();
  for (size_t Removed = 1;
       Text.size() > MostLines && Removed + 2 <= Files.size(); ++Removed) {
    Shown.assign(Files.begin(),
                 Files.end() - static_cast<std::ptrdiff_t>(Removed + 1));
    Shown.push_back(leftOut(LeftOut + Removed));
    Shown.push_back(Files.back());
    Text = Lines();
  }
  return Text;
}

std::string instantrace::includeChainRecord(const IncludeChain &Chain) {
  std::string Text;
  for (const std::string &Step : Chain.Steps)
    Text.append(Text.empty() ? "" : " < ").append(Step);
  if (Chain.OtherSteps != 0)
    Text += " < and " + counted(Chain.OtherSteps, "further file");
  return Text;
}
