#include "runtime/read/SequenceDecoder.h"

#include "runtime/read/TableDecoder.h"

#include <unordered_set>

using namespace instantrace;
using protozero::pbf_reader;

namespace {

void addMissing(std::vector<std::string> &Source,
                std::vector<std::string> &Target) {
  std::unordered_set<std::string> Known(Target.begin(), Target.end());
  for (std::string &Text : Source)
    if (Known.insert(Text).second)
      Target.push_back(std::move(Text));
}

} // namespace

void SequenceDecoder::decode(PacketBody Body, pbf_reader Content,
                             Sequence &Into, IssueSink &Issues) {
  switch (Body) {
  case PacketBody::None: // of a newer minor version
  case PacketBody::FileHeader:
    return;
  case PacketBody::Session:
    return decodeSession(Content, Into);
  case PacketBody::Dictionary:
    return decodeDictionary(Content, Into, Issues);
  case PacketBody::Locations:
    return decodeLocations(Content, Into.Locations, Issues);
  case PacketBody::DeclarationLocations:
    return decodeLocations(Content, Into.DeclarationLocations, Issues);
  case PacketBody::Inclusions:
    return decodeInclusions(Content, Into, Issues);
  case PacketBody::Entities:
    return decodeEntities(Content, Into, Issues);
  case PacketBody::MemoizedHits:
    return decodeMemoizedHits(Content, Into, Issues);
  case PacketBody::Functions:
    return decodeFunctions(Content, Into, Issues);
  case PacketBody::FunctionSizes:
    return decodeFunctionSizes(Content, Into, Issues);
  case PacketBody::MemorySamples:
    return decodeMemorySamples(Content, Into, Issues);
  case PacketBody::Events:
    return Stream ? Events.decode(Content, Into, *Stream, Issues)
                  : Events.decode(Content, Into, Issues);
  case PacketBody::Footer:
    return decodeFooter(Content, Into, LateModules);
  }
}

void SequenceDecoder::finish(Sequence &Into) {
  if (Stream)
    Events.finish(Into, *Stream);
  else
    Events.finish(Into);
  if (Into.Session)
    addMissing(LateModules, Into.Session->ModuleInputs);
}
