/// \file
/// InstantiationIndex::verify(): the rules of the summary.
#include "runtime/index/IndexSummary.h"
#include "runtime/index/IndexVerify.h"

#include <algorithm>
#include <string>

using namespace instantrace;
using namespace instantrace::index;

namespace {

class SummaryVerifier {
public:
  SummaryVerifier(const InstantiationIndex &Of, const IndexBytes &Bytes,
                  const std::vector<uint64_t> &Entries)
      : Of(Of), Bytes(Bytes), Entries(Entries) {}

  bool run() {
    if (!Of.hasSummary())
      return true;
    uint64_t Size = Bytes.rowCount(Section::Summary);
    const auto *Rows = Bytes.rows<char>(Section::Summary, 0, Size);
    if (!Rows)
      return false;
    SummaryReader Reader({Rows, Size});
    bool IsRead = about(Reader) && inclusions(Reader) && tables(Reader);
    if (!Reader.found().empty())
      return fault("summary-bytes",
                   "byte " + std::to_string(Reader.faultByte()), Reader.found(),
                   Reader.expected());
    return IsRead;
  }

private:
  bool fault(const char *Rule, const std::string &Place,
             const std::string &Found, const std::string &Expected) const {
    return Bytes.fault(std::string(Rule) + ", section SUMM, " + Place, Found,
                       Expected);
  }
  bool isString(const std::string &Place, uint64_t At) const {
    return std::binary_search(Entries.begin(), Entries.end(), At) ||
           fault("summary-string", Place, std::to_string(At),
                 "the begin of an entry");
  }
  bool about(SummaryReader &Reader) const {
    SummaryAbout About;
    if (!Reader.about(About))
      return false;
    for (const SummaryTrace &T : About.Traces)
      if (!isString("a trace", T.Path))
        return false;
    for (const SummaryCompile &C : About.Compiles)
      for (uint64_t String : C.Strings)
        if (String != SummaryCompile::NoString &&
            !isString("a compile", String))
          return false;
    return About.Sequences == Bytes.rowCount(Section::Compiles) ||
           fault("summary-compiles", "about",
                 std::to_string(About.Sequences) + " compiles",
                 std::to_string(Bytes.rowCount(Section::Compiles)));
  }
  bool inclusions(SummaryReader &Reader) const {
    std::vector<SummaryInclusion> Rows;
    if (!Reader.inclusions(Rows))
      return false;
    return std::all_of(Rows.begin(), Rows.end(),
                       [this](const SummaryInclusion &I) {
                         return isString("an inclusion", I.Path);
                       });
  }
  /// The self times of all records, and of the rows of each table.
  bool tables(SummaryReader &Reader) const {
    uint64_t TotalNs = 0;
    std::vector<uint32_t> Numbers;
    if (!Of.selfNs(0, Of.recordCount(), TotalNs) || !Reader.tables(Numbers))
      return false;
    if (Numbers.size() != SummaryTable::TableLimit)
      return fault("summary-tables", "tables", std::to_string(Numbers.size()),
                   std::to_string(SummaryTable::TableLimit));
    for (uint32_t Number : Numbers) {
      SummaryTable Table;
      if (!Reader.table(Number, Table))
        return false;
      std::string Place = "table " + std::to_string(Number);
      uint64_t SumNs = 0;
      for (const SummaryRow &Row : Table.Rows) {
        if (!isString(Place, Row.Name.String))
          return false;
        SumNs += Row.Numbers[SummaryRow::SelfNs];
      }
      for (uint64_t Ns : {SumNs, Table.Totals[SummaryTable::TotalNs]})
        if (Ns != TotalNs)
          return fault("summary-self", Place, std::to_string(Ns),
                       std::to_string(TotalNs));
    }
    return true;
  }

  const InstantiationIndex &Of;
  const IndexBytes &Bytes;
  const std::vector<uint64_t> &Entries;
};

} // namespace

bool instantrace::index::verifySummary(const InstantiationIndex &Of,
                                       const IndexBytes &Bytes,
                                       const std::vector<uint64_t> &Entries) {
  return SummaryVerifier(Of, Bytes, Entries).run();
}
