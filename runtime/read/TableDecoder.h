/// \file
/// Decodes every packet body but the events: session, names, locations,
/// inclusions, entities, memoized hits, functions, memory, footer.
///
/// Flow:   SequenceDecoder -> [TableDecoder] -> Sequence
/// Layout: proto/trace.proto
/// Errors: reported to the sink; malformed protobuf throws
///         protozero::exception, which readers catch once per packet
#pragma once

#include "runtime/read/IssueSink.h"

#include <protozero/pbf_reader.hpp>

namespace instantrace {

void decodeSession(protozero::pbf_reader Body, Sequence &Into);
void decodeDictionary(protozero::pbf_reader Body, Sequence &Into,
                      IssueSink &Issues);
/// Into one of the sequence's two tables of locations.
void decodeLocations(protozero::pbf_reader Body, LocationTable &Into,
                     IssueSink &Issues);
void decodeInclusions(protozero::pbf_reader Body, Sequence &Into,
                      IssueSink &Issues);
void decodeEntities(protozero::pbf_reader Body, Sequence &Into,
                    IssueSink &Issues);
void decodeMemoizedHits(protozero::pbf_reader Body, Sequence &Into,
                        IssueSink &Issues);
void decodeFunctions(protozero::pbf_reader Body, Sequence &Into,
                     IssueSink &Issues);
void decodeFunctionSizes(protozero::pbf_reader Body, Sequence &Into,
                         IssueSink &Issues);
void decodeMemorySamples(protozero::pbf_reader Body, Sequence &Into,
                         IssueSink &Issues);
/// Appends the footer's modules to LateModules.
void decodeFooter(protozero::pbf_reader Body, Sequence &Into,
                  std::vector<std::string> &LateModules);

} // namespace instantrace
