#include "test/fuzz/FuzzTargets.h"
#include "test/unit/support/IndexSamples.h"
#include "utils/replay/Debugger.h"
#include "utils/replay/ReplayText.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace instantrace::fuzz {

namespace {

const InstantiationIndex &index() {
  static const InstantiationIndex Made = [] {
    test::SampleCompile C;
    C.begin(0, {.Kind = 32});
    for (uint32_t I = 1; I != 40; ++I) {
      C.begin(I * 100, {.AstBytes = I, .Entity = 1 + I % 3, .Location = I % 4});
      if (I % 3 != 0)
        C.end(I * 100 + 50);
    }
    C.finish();
    static const std::string Bytes = test::indexBytes({C, C});
    InstantiationIndex X;
    std::string Why;
    require(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why));
    return X;
  }();
  return Made;
}

/// Reads files of this machine, or waits for who writes to them.
bool readsFiles(std::string_view Script) {
  for (size_t Index = 0; Index < Script.size();) {
    const size_t End = std::min(Script.find('\n', Index), Script.size());
    std::string_view Line = Script.substr(Index, End - Index);
    Line.remove_prefix(std::min(Line.find_first_not_of(" \t"), Line.size()));
    if (Line.find("so") != Line.npos && Line.find("self") == Line.npos)
      return true;
    Index = End + 1;
  }
  return false;
}

/// The script, as a file that has a name.
class ScriptFile {
public:
  explicit ScriptFile(std::string_view Text)
      : File(::memfd_create("script", MFD_CLOEXEC)) {
    require(File >= 0 && ::write(File, Text.data(), Text.size()) ==
                             static_cast<ssize_t>(Text.size()));
  }
  ~ScriptFile() { ::close(File); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(File); }

private:
  int File;
};

std::string answersTo(const std::string &Path) {
  char *Text = nullptr;
  size_t SizeBytes = 0;
  FILE *File = ::open_memstream(&Text, &SizeBytes);
  require(File != nullptr);
  {
    ReplayText Answers(File);
    Result<Replay> R = Replay::make(index());
    require(bool(R));
    Debugger D(*R, Answers, {});
    if (Result<void> Done = D.runScript(Path); !Done)
      require(!Done.error().Message.empty());
    // What it may print, and one command beyond that.
    require(Answers.sizeBytes() < (size_t(66) << 20));
    require(R->position() <= R->timeline().end());
    require(bool(Answers.finish()));
  }
  std::fclose(File);
  std::string All(Text, SizeBytes);
  std::free(Text);
  return All;
}

} // namespace

void fuzzReplayScript(const uint8_t *Data, size_t SizeBytes) {
  std::string Script(reinterpret_cast<const char *>(Data), SizeBytes);
  if (readsFiles(Script))
    return;
  const ScriptFile File(Script);
  const std::string Answers = answersTo(File.path());
  require(Answers == answersTo(File.path()));
  // No control character of a name or a command gets to a terminal.
  for (char C : Answers)
    require(C == '\n' || C == '\t' || static_cast<unsigned char>(C) >= ' ');
}

std::vector<std::string> replayScriptSeeds() {
  return {"break A\ncontinue\nbt\nup\nprint/a\ninfo frame\n",
          "rbreak f|b\ncommands\nsilent\nbt\nend\ncontinue 3\n",
          "watch memory 10\ncontinue\nreverse-continue\ninfo breakpoints\n",
          "display bt\ndisplay print\nstep 3\nnext 2\nfinish\nundisplay 1\n",
          "goto 50%\nlist\ninfo statistics\ninfo compiles\nwhatis f\n",
          "tbreak -count 2 if depth > 3 && !(memory < 2)\nrun\nquit 3\n",
          "set listsize 5\nset source off\nhelp break\nrwhatis .\n"};
}

} // namespace instantrace::fuzz
