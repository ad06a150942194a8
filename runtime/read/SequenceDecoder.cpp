#include "runtime/read/SequenceDecoder.h"

#include "runtime/read/TableDecoder.h"

#include <unordered_set>

using namespace instantrace;
using protozero::pbf_reader;

namespace {

void addMissing(std::vector<std::string> &From, std::vector<std::string> &To) {
  std::unordered_set<std::string> Known(To.begin(), To.end());
  for (std::string &Text : From)
    if (Known.insert(Text).second)
      To.push_back(std::move(Text));
}

} // namespace

void SequenceDecoder::decode(PacketBody Body, pbf_reader Content,
                             Sequence &Into, IssueSink &Issues) {
  ++PacketNo;
  if (!mayCome(Body, Into, Issues))
    return;
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
  case PacketBody::Events:
    return Stream ? Events.decode(Content, Into, *Stream, Issues)
                  : Events.decode(Content, Into, Issues);
  case PacketBody::Footer:
    return decodeFooter(Content, Into, LateModules);
  }
}

/// The session comes second and once, the footer last. One who refuses packets
/// goes by what he has taken, since a packet that he refused is not there.
bool SequenceDecoder::mayCome(PacketBody Body, const Sequence &Into,
                              IssueSink &Issues) {
  bool IsSession = Body == PacketBody::Session;
  bool IsRefused = false;
  if (Order == Strictness::Refuse) {
    IsRefused = Into.Session.has_value() == IsSession;
    if (IsRefused)
      Issues.fatal("session", IsSession ? "a second one" : "another packet",
                   "one, as the sequence's second packet");
  } else if (PacketNo == 2 && !IsSession && Body != PacketBody::None) {
    Issues.note("session", "another packet",
                "the session as the sequence's second packet");
  } else if (PacketNo > 2 && IsSession) {
    Issues.note("session",
                "a session in packet " + std::to_string(PacketNo) +
                    " of the sequence",
                "one, in its second packet");
  }
  if (IsRefused || !Into.Footer)
    return !IsRefused;
  constexpr const char *Found = "a packet after the footer";
  constexpr const char *Expected = "the footer as the sequence's last packet";
  if (Order == Strictness::Note) {
    Issues.note("footer-last", Found, Expected);
    return true;
  }
  Issues.fatal("footer-last", Found, Expected);
  return false;
}

void SequenceDecoder::finish(Sequence &Into) {
  if (Stream)
    Events.finish(Into, *Stream);
  else
    Events.finish(Into);
  if (Into.Session)
    addMissing(LateModules, Into.Session->ModuleInputs);
}
