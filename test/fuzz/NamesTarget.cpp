#include "test/fuzz/FuzzTargets.h"
#include "test/fuzz/NameDecoders.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace instantrace::fuzz {

void fuzzNames(const uint8_t *Data, size_t SizeBytes) {
  std::string_view Input(reinterpret_cast<const char *>(Data), SizeBytes);
  DecodedNames Names(/*FlatLimitBytes=*/uint64_t(1) << 13);
  // Several batches, as a file has them: a length byte in front of each but
  // the last.
  while (!Input.empty()) {
    size_t Length = static_cast<unsigned char>(Input[0]);
    Input.remove_prefix(1);
    decode(Input.substr(0, Length), Names);
    std::string Difference = disagreement(Names);
    if (!Difference.empty()) {
      std::fprintf(stderr, "the texts disagree: %s\n", Difference.c_str());
      std::abort();
    }
    if (!Names.Fault.empty() || Names.Flat.size() != Names.Lazy.size())
      return;
    Input.remove_prefix(std::min(Length, Input.size()));
  }
}

std::vector<std::string> namesSeeds() {
  StringTable Strings;
  StringId Int = Strings.intern("int"), Nul = Strings.intern({"\0\xFF", 2});
  StringId Scope = Strings.intern("ns::");
  StringId Head = Strings.intern(
      StringComponents().mark(NamePart::TemplateHead).ref(Scope).text("Box<"));
  StringId Default = Strings.intern(
      StringComponents().mark(NamePart::DefaultArguments).text(", A"));
  StringId Box = Strings.intern(
      StringComponents().ref(Head).ref(Int).ref(Default).text(">"));
  StringId Nested = Strings.intern(
      StringComponents().ref(Head).ref(Box).ref(Default).text(">"));
  StringId Parameters = Strings.intern(StringComponents()
                                           .mark(NamePart::Parameters)
                                           .text("(")
                                           .ref(Nul)
                                           .text(")"));
  Strings.intern(StringComponents().ref(Nested).text("::f").ref(Parameters));
  std::vector<std::string> Seeds;
  auto seed = [&Seeds](const StringTable &T) {
    std::string Input;
    for (const std::string &Batch : serialized(T)) {
      if (Batch.size() > 255)
        std::abort(); // its length is one byte
      Input += static_cast<char>(Batch.size()) + Batch;
    }
    Seeds.push_back(Input);
  };
  seed(Strings);
  StringTable Doubled;
  StringId Last = Doubled.intern("lol");
  for (int I = 0; I != 20; ++I)
    Last = Doubled.intern(StringComponents().ref(Last).ref(Last));
  seed(Doubled);
  StringTable List;
  std::vector<ListElement> Elements(40, List.intern("x"));
  List.internList(Elements.data(), Elements.size());
  seed(List);
  return Seeds;
}

} // namespace instantrace::fuzz
