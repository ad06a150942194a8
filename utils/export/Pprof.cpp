/// \file
/// pprof's profiles: stacks with time, count and bytes, as a gzip file.
///
/// Flow:   walkCosts -> CallTree -> [writePprof] -> gzipped
/// Source: github.com/google/pprof, proto/profile.proto
/// Memory: the whole profile, and again as much while it is compressed
#include "utils/export/ExportJob.h"
#include "utils/system/Gzip.h"

#include <protozero/pbf_writer.hpp>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace instantrace;

namespace {

// Numbers of fields.
namespace profile {
enum : protozero::pbf_tag_type {
  SampleType = 1,
  Sample = 2,
  Location = 4,
  Function = 5,
  StringTable = 6,
  Comment = 13,
  DefaultSampleType = 14
};
} // namespace profile
namespace value_type {
enum : protozero::pbf_tag_type { Type = 1, Unit = 2 };
} // namespace value_type
namespace sample {
enum : protozero::pbf_tag_type { LocationIds = 1, Values = 2 };
} // namespace sample
namespace location {
enum : protozero::pbf_tag_type { Id = 1, Line = 4 };
} // namespace location
namespace line {
enum : protozero::pbf_tag_type { FunctionId = 1, Number = 2 };
} // namespace line
namespace function {
enum : protozero::pbf_tag_type {
  Id = 1,
  Name = 2,
  SystemName = 3,
  FileName = 4,
  StartLine = 5
};
} // namespace function

class PprofWriter {
public:
  explicit PprofWriter(std::string &Into) : Profile(Into) {
    addString(""); // by the format, string 0 is empty
    addSampleType("time", "nanoseconds");
    addSampleType("intervals", "count");
    addSampleType("ast", "bytes");
    Profile.add_int64(profile::DefaultSampleType, 1); // the string "time"
  }

  void addComment(std::string_view Text) {
    Profile.add_int64(profile::Comment, addString(Text));
  }
  /// Frames are functions and locations by their numbers plus 1.
  void addFrames(const ExportFrames &Frames) {
    std::vector<int64_t> Files;
    for (uint32_t File = 0; File != Frames.fileCount(); ++File)
      Files.push_back(File == 0 ? 0 : addString(Frames.fileName(File)));
    for (uint32_t Frame = 0; Frame != Frames.size(); ++Frame)
      addFrame(Frame + uint64_t(1), Frames[Frame], Files[Frames[Frame].File]);
  }
  void addSample(const std::vector<uint64_t> &Locations,
                 const ExportCost &Self) {
    const int64_t Values[] = {static_cast<int64_t>(Self.Ns),
                              static_cast<int64_t>(Self.Count),
                              static_cast<int64_t>(Self.AstBytes)};
    protozero::pbf_writer Sample(Profile, profile::Sample);
    Sample.add_packed_uint64(sample::LocationIds, Locations.begin(),
                             Locations.end());
    Sample.add_packed_int64(sample::Values, std::begin(Values),
                            std::end(Values));
  }

private:
  int64_t addString(std::string_view Text) {
    Profile.add_string(profile::StringTable, Text.data(), Text.size());
    return Strings++;
  }
  void addSampleType(std::string_view Type, std::string_view Unit) {
    const int64_t TypeString = addString(Type), UnitString = addString(Unit);
    protozero::pbf_writer Value(Profile, profile::SampleType);
    Value.add_int64(value_type::Type, TypeString);
    Value.add_int64(value_type::Unit, UnitString);
  }
  void addFrame(uint64_t Id, const ExportFrame &Frame, int64_t File) {
    const int64_t Name = addString(Frame.Name);
    {
      protozero::pbf_writer Function(Profile, profile::Function);
      Function.add_uint64(function::Id, Id);
      Function.add_int64(function::Name, Name);
      Function.add_int64(function::SystemName, Name);
      Function.add_int64(function::FileName, File);
      Function.add_int64(function::StartLine, Frame.LineNo);
    }
    protozero::pbf_writer Location(Profile, profile::Location);
    Location.add_uint64(location::Id, Id);
    protozero::pbf_writer Line(Location, location::Line);
    Line.add_uint64(line::FunctionId, Id);
    Line.add_int64(line::Number, Frame.LineNo);
  }

  protozero::pbf_writer Profile;
  int64_t Strings = 0;
};

} // namespace

static Result<int> writePprof(const ExportJob &Job, const std::string &Path) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  CallTree Tree;
  walkCosts(Job.T, Job.Plan, Frames, Tree);
  std::string Bytes;
  PprofWriter Profile(Bytes);
  Profile.addComment("made by instantrace " INSTANTRACE_VERSION);
  for (const std::string &Line : missingFrom(Job))
    Profile.addComment(Line);
  Profile.addFrames(Frames);
  std::vector<uint64_t> Stack; // from the node outwards
  for (size_t Index = 1; Index != Tree.nodes().size(); ++Index) {
    const ExportCost &Self = Tree.nodes()[Index].Self;
    if (Self.Ns == 0 && Self.Count == 0 && Self.AstBytes == 0)
      continue;
    Stack.clear();
    for (size_t Node = Index; Node != 0; Node = Tree.nodes()[Node].Parent)
      Stack.push_back(Tree.nodes()[Node].Frame + uint64_t(1));
    Profile.addSample(Stack, Self);
  }
  constexpr int Level = 6;
  const std::string Packed = gzipped(Bytes, Level);
  if (Packed.empty())
    return Error{Path + ": no memory to compress it"};
  ExportOutput Out(Path);
  Out.append(Packed);
  return Out.finish();
}

const ExportFormat instantrace::PprofFormat = {
    .Name = "pprof",
    .Description = "go tool pprof, Pyroscope, speedscope: stacks with numbers",
    .Defaults = {.MaxDepth = 128, .MaxEvents = 100000},
    .Write = writePprof,
};
