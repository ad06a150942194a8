/// \file
/// instantrace-run-each: one command over many versions of a file.
///
/// usage: instantrace-run-each FILE raw|mended COMMAND... <VERSIONS
///   mended     each whole packet of the file gets the checksum that it should
///              have, as somebody hostile would do it
///   VERSIONS   of each its size (4 bytes, little-endian) and its bytes
///
/// Writes each version into FILE and runs the command on it in a process of its
/// own, as the tool would, with 100 MB more of memory than before and a second
/// of CPU time. To load the tool and to parse the command line takes ten times
/// as long as a run on a small file, so both are done once, and each process is
/// forked after that. Of each run it prints a line: exit code, minus the
/// signal, or 100 when there was no more memory; microseconds of CPU; kilobytes
/// of it.
///
/// Flow: flips.py -> [run-each] -> one command
#include "runtime/base/Result.h"
#include "runtime/format/Schema.h"
#include "runtime/read/TraceReader.h"
#include "utils/commands/Commands.h"

#include <CLI/CLI.hpp>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace instantrace;

namespace {

constexpr rlim_t MoreBytes = rlim_t(100) << 20;
constexpr rlim_t CpuSeconds = 1;
/// The tool itself ends with ExitBadInput.
constexpr int ExitOutOfMemory = 100;

/// The first number of statm: what is mapped by now.
rlim_t mappedBytes() {
  rlim_t Pages = 0;
  std::ifstream("/proc/self/statm") >> Pages;
  return Pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int What, rlim_t Most) {
  rlimit Limit{Most, Most};
  ::setrlimit(static_cast<__rlimit_resource>(What), &Limit);
}

void mendChecksums(std::string &Bytes) {
  const char *Cursor = Bytes.data(), *End = Cursor + Bytes.size();
  try {
    while (Cursor != End) {
      ++Cursor; // the tag
      uint64_t Size = protozero::decode_varint(&Cursor, End);
      if (Size < ChecksumFieldBytes || Size > uint64_t(End - Cursor))
        return;
      char *Field =
          Bytes.data() + (Cursor - Bytes.data()) + Size - ChecksumFieldBytes;
      uint32_t Sum = packetChecksum({Cursor, Size - ChecksumFieldBytes});
      Field[0] = static_cast<char>(schema::Packet::Checksum.tag());
      for (size_t I = 0; I != 4; ++I)
        Field[1 + I] = static_cast<char>(Sum >> (8 * I));
      Cursor += Size;
    }
  } catch (const protozero::exception &) {
    return; // what is behind has no frame
  }
}

CommandAdder adderOf(const std::string &Name) {
  for (auto [Known, Adder] : {
#define COMMAND(Name) std::pair<const char *, CommandAdder>(#Name, add##Name),
#include "utils/commands/Commands.def"
       })
    if (CLI::detail::to_lower(Known) == Name)
      return Adder;
  return nullptr;
}

/// As main() of the tool does it, but that nothing is printed.
int run(const CommandRun &Command) {
  limit(RLIMIT_AS, mappedBytes() + MoreBytes);
  limit(RLIMIT_CPU, CpuSeconds);
  limit(RLIMIT_CORE, 0);
  try {
    Result<int> Code = Command();
    return Code ? *Code : exitCode(Code.error());
  } catch (const std::bad_alloc &) {
    return ExitOutOfMemory;
  } catch (const std::exception &) {
    return ExitBadInput;
  }
}

bool readExactly(void *Into, size_t SizeBytes) {
  return std::fread(Into, 1, SizeBytes, stdin) == SizeBytes;
}

} // namespace

// What is thrown outside of a child is a fault of the benchmark, and ends it.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int Argc, char **Argv) {
  if (Argc < 4)
    return ExitUsage;
  const std::string File = Argv[1];
  const bool IsMended = std::string_view(Argv[2]) == "mended";
  CLI::App App;
  CommandAdder Adder = adderOf(Argv[3]);
  if (!Adder)
    return ExitUsage;
  const CommandRun Command = Adder(App);
  CLI11_PARSE(App, Argc - 2, Argv + 2); // whose first word would be a program's
  std::array<unsigned char, 4> Size;
  std::string Bytes;
  while (readExactly(Size.data(), Size.size())) {
    Bytes.resize(Size[0] | Size[1] << 8 | Size[2] << 16 |
                 size_t(Size[3]) << 24);
    if (!readExactly(Bytes.data(), Bytes.size()))
      return ExitBadInput;
    if (IsMended)
      mendChecksums(Bytes);
    std::ofstream(File, std::ios::binary) << Bytes;
    pid_t Child = ::fork();
    if (Child < 0)
      return ExitBadInput;
    if (Child == 0) {
      int Null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      for (int Standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(Null, Standard);
      int Code = run(Command);
      std::fflush(stdout);
      ::_exit(Code);
    }
    int Status = 0;
    rusage Used{};
    while (::wait4(Child, &Status, 0, &Used) < 0)
      ;
    long Micros = (Used.ru_utime.tv_sec + Used.ru_stime.tv_sec) * 1'000'000 +
                  Used.ru_utime.tv_usec + Used.ru_stime.tv_usec;
    int Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : -WTERMSIG(Status);
    std::printf("%d %ld %ld\n", Code, Micros, Used.ru_maxrss);
  }
  return ExitSuccess;
}
