/// \file
/// A folder of its own for each test that leaves files.
#pragma once

#include "runtime/read/TraceReader.h"
#include "runtime/recovery/BufferRecovery.h"
#include "runtime/shm/BufferSnapshot.h"
#include "test/unit/support/LeftoverBuilder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace instantrace::test {

class LeftoverFolder : public testing::Test {
protected:
  LeftoverFolder() {
    std::string Name =
        (std::filesystem::temp_directory_path() / "instantrace-XXXXXX")
            .string();
    Folder = ::mkdtemp(Name.data());
  }
  ~LeftoverFolder() override {
    std::error_code Ignored;
    std::filesystem::remove_all(Folder, Ignored);
  }
  std::string finalPath(const char *Name = "a.itrace") const {
    return Folder + "/" + Name;
  }

  std::string Folder;
};

inline BufferSnapshot snapshotOf(const std::string &Image) {
  BufferSnapshot S;
  std::string Error;
  EXPECT_TRUE(takeSnapshot(MemoryBufferImage(Image), S, Error)) << Error;
  return S;
}

/// What `recover` makes of it, with its footer.
inline RecoveredTrace recovered(const std::string &Image,
                                const std::string &Partial) {
  RecoveredTrace Trace = recoverTrace(snapshotOf(Image), Partial);
  if (!Trace.Bytes.empty())
    addInterruptedFooter(Trace);
  return Trace;
}

/// All issues of the reader, which `verify` would print, or "".
inline std::string issuesOf(const RecoveredTrace &Trace) {
  instantrace::Trace T;
  readTrace(Trace.Bytes, "x.itrace", T);
  std::string Text;
  for (const TraceIssue &Issue : T.Files.front().Issues)
    Text += Issue.message("x.itrace") + "\n";
  return Text;
}

} // namespace instantrace::test
