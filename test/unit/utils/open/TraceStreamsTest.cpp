// A trace that somebody writes to while it is read is an error, not an answer.
#include "utils/open/TraceStreams.h"

#include "test/unit/support/SampleTraces.h"
#include "utils/open/TraceInputs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

class StreamedFile : public testing::Test {
protected:
  StreamedFile() {
    std::string Name = (fs::temp_directory_path() / "itr-XXXXXX").string();
    EXPECT_NE(::mkdtemp(Name.data()), nullptr);
    Folder = Name;
    Path = Folder + "/a.itrace";
    std::ofstream(Path, std::ios::binary) << test::boxTrace().bytes();
  }
  ~StreamedFile() override {
    std::error_code Failed;
    fs::remove_all(Folder, Failed);
  }

  Result<void> stream(TraceSink &Events) {
    std::vector<std::string> Messages;
    MessageList Seen(Messages);
    return forEachStream(
        {Path}, Seen, Events,
        [](const Trace &, const InputIdentity &) { return Result<void>(); });
  }

  std::string Folder, Path;
};

/// Writes to the file when its events begin.
class Writing : public NoEvents {
public:
  explicit Writing(std::string Path) : Path(std::move(Path)) {}
  ::instantrace::EventSink &beginSequence(uint32_t Index) override {
    std::ofstream(Path, std::ios::binary | std::ios::app) << "more";
    return NoEvents::beginSequence(Index);
  }

private:
  std::string Path;
};

} // namespace

TEST_F(StreamedFile, IsReadWhenNobodyWritesToIt) {
  NoEvents None;
  EXPECT_TRUE(stream(None));
}

TEST_F(StreamedFile, ThatChangesMeanwhileIsAnError) {
  Writing Events(Path);
  Result<void> Read = stream(Events);
  ASSERT_FALSE(Read);
  EXPECT_EQ(Read.error().Message,
            Path + ": found a trace that changed while it was read, expected "
                   "that of a compile that has ended");
}

TEST_F(StreamedFile, ThatChangesWhileItIsReadWholeIsAnErrorToo) {
  auto Cut = [this](uint64_t) { fs::resize_file(Path, 1); };
  Result<std::string> Read = readBytes(Path, /*Seen=*/nullptr, Cut);
  ASSERT_FALSE(Read);
  EXPECT_EQ(Read.error().Message,
            Path + ": found a trace that changed while it was read, expected "
                   "that of a compile that has ended");
}
