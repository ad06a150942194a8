#include "test/fuzz/NameDecoders.h"

#include "runtime/record/PacketSink.h"
#include "runtime/record/TraceWriter.h"

#include <protozero/pbf_reader.hpp>

namespace instantrace::fuzz {

namespace {

constexpr size_t TextLimit = size_t(1) << 20;

std::string messageOf(const DictionaryFault &Fault) {
  return std::string(Fault.Invariant) + ": found " + Fault.Found +
         ", expected " + Fault.Expected;
}

/// False: it does not fit into the limit.
bool addFlat(DecodedNames &Into) {
  Dictionary::EntryView E =
      Into.Lazy.entry({static_cast<uint32_t>(Into.Flat.size()) + 1});
  std::string Text;
  size_t Next = 0; // marker
  for (char Byte : E.MarkedName) {
    uint32_t Marker = Byte == '\0' ? E.Markers[Next++] : 0;
    std::string_view Part =
        Marker == 0 ? std::string_view(&Byte, 1) : Into.Flat[Marker - 1];
    if (Text.size() + Part.size() > Into.FlatBytesLeft)
      return false;
    Text += Part;
  }
  Into.FlatBytesLeft -= Text.size();
  Into.Flat.push_back(std::move(Text));
  return true;
}

std::string inQuotes(std::string_view Text) {
  return "'" + std::string(Text.substr(0, 200)) + "'";
}

/// A style only leaves out, but for its ellipses.
bool isLeftOver(std::string_view Shown, std::string_view Whole) {
  constexpr std::string_view Ellipsis = "\xe2\x80\xa6";
  size_t Next = 0;
  for (size_t I = 0; I < Shown.size(); ++I) {
    if (Shown.substr(I, Ellipsis.size()) == Ellipsis) {
      I += Ellipsis.size() - 1;
      continue;
    }
    size_t Found = Whole.find(Shown[I], Next);
    if (Found == std::string_view::npos)
      return false;
    Next = Found + 1;
  }
  return true;
}

} // namespace

void decode(std::string_view Batch, DecodedNames &Into) {
  Into.Fault.clear();
  try {
    if (auto Fault = readDictionaryBatch(
            protozero::pbf_reader(Batch.data(), Batch.size()), Into.Lazy))
      Into.Fault = messageOf(*Fault);
  } catch (const protozero::exception &) {
    Into.Fault = "malformed";
  }
  while (Into.Flat.size() != Into.Lazy.size() && addFlat(Into))
    ;
}

std::string disagreement(const DecodedNames &Names) {
  const Dictionary &Lazy = Names.Lazy;
  for (uint32_t Id = 1; Id <= Names.Flat.size(); ++Id) {
    std::string Name = " of name " + std::to_string(Id);
    const std::string &Text = Names.Flat[Id - 1];
    if (Lazy.sizeBytes({Id}) != Text.size())
      return "size" + Name;
    std::string Whole;
    // What is made of unreasonably many parts is cut.
    if (!Lazy.expand({Id}, Whole, TextLimit))
      continue;
    if (Whole != Text)
      return "lazy " + inQuotes(Whole) + ", flat " + inQuotes(Text) + Name;
    for (unsigned Hidden = 0; Hidden != 16; ++Hidden) {
      NameStyle Style;
      Style.DefaultArguments = Hidden & 1;
      Style.Parameters = Hidden & 2;
      Style.Arguments = Hidden & 4;
      Style.MaxDepth = Hidden & 8 ? 1 : UINT_MAX;
      std::string Shown = Lazy.text({Id}, Style, TextLimit);
      if (!isLeftOver(Shown, Text))
        return "style " + std::to_string(Hidden) + " shows " + inQuotes(Shown) +
               " of " + inQuotes(Text) + Name;
      bool IsKeyed = Style.DefaultArguments && !Style.Parameters &&
                     Style.Arguments && Style.MaxDepth == UINT_MAX;
      if (IsKeyed && Lazy.key({Id}) != Dictionary::keyOf(Shown))
        return "key" + Name;
    }
  }
  return {};
}

std::vector<std::string> serialized(const StringTable &Strings) {
  std::string Bytes;
  StringSink Sink(Bytes);
  TraceWriter(Sink, 1).writeDictionary(Strings);
  std::vector<std::string> Batches;
  for (protozero::pbf_reader Trace(Bytes); Trace.next(1);) {
    protozero::pbf_reader Packet = Trace.get_message();
    Packet.next(3); // Packet.dictionary
    Batches.push_back(Packet.get_bytes());
  }
  return Batches;
}

} // namespace instantrace::fuzz
