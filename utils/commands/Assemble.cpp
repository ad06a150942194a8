/// \file
/// `instantrace assemble`: protobuf text to a trace, so that analyses are
/// tested without a compiler.
#include "runtime/record/TraceFile.h"
#include "utils/commands/Commands.h"
#include "utils/export/EarlierOutput.h"
#include "utils/export/TextProto.h"
#include "utils/open/FileKind.h"
#include "utils/open/Leftovers.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/Output.h"
#include "utils/system/FileDescriptor.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <memory>

using namespace instantrace;

namespace {

struct AssembleOptions {
  std::string Input;
  std::string Output;
  bool KeepChecksums = false;
};

Result<int> runAssemble(const AssembleOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(std::string Text, readBytes(Opts.Input));
  if (std::string Kind = Text.empty() ? fileKind({}) : kindOfNoText(Text);
      !Kind.empty())
    return makeError(inputName(Opts.Input), Kind,
                     "a text as dump --format=textproto prints it");
  INSTANTRACE_TRY_ASSIGN(
      std::string Bytes,
      assembleTrace(Text, inputName(Opts.Input), Opts.KeepChecksums));
  if (Opts.Output == "-") {
    instantrace::Output Out(stdout);
    Out.append(Bytes);
    return Out.finish();
  }
  struct stat Status;
  if (::stat(Opts.Output.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode)) {
    // A device or a pipe.
    std::unique_ptr<FILE, int (*)(FILE *)> File(
        std::fopen(Opts.Output.c_str(), "wb"), std::fclose);
    if (!File)
      return Error{Opts.Output + ": " + systemMessage(errno)};
    instantrace::Output Out(File.get());
    Out.append(Bytes);
    return Out.finish();
  }
  // What is assembled for a test need not be a trace, and may replace one that
  // was none either; a text is somebody's source.
  FileDescriptor There = openRegularFile(Opts.Output);
  if (std::string Head = There ? headOf(There) : std::string();
      !Head.empty() && kindOfNoText(Head).empty())
    return noEarlierOutput(Opts.Output, Head);
  TraceFile File(Opts.Output);
  if (File.append(Bytes))
    File.commit(/*KeepsExisting=*/false);
  if (!File.error().empty())
    return Error{File.error()};
  return 0;
}

} // namespace

CommandRun instantrace::addAssemble(CLI::App &App) {
  auto Opts = std::make_shared<AssembleOptions>();
  CLI::App *Command = App.add_subcommand(
      "assemble", "Turn protobuf text into a trace, for tests and repairs.");
  Command
      ->add_option("textproto", Opts->Input,
                   "an instantrace.proto.Trace in text format, as dump "
                   "--format=textproto prints it, or with events by name; - "
                   "is the standard input")
      ->required();
  Command->add_option("-o,--output", Opts->Output, "the trace; - is stdout")
      ->required();
  Command->add_flag(
      "--keep-checksums", Opts->KeepChecksums,
      "write the checksums in the text instead of computing them");
  Command->footer(
      R"(Events may be given by name instead of by the numbers of `record`:
  packet { events {
    begin { kind: TemplateInstantiation entity: "A<int>" at: "a.cpp:5:12"
            time_ns: 16 }
    end { time_ns: 40 definition: true }
  } sequence_id: 1 }
Times count from the session's start. Names and places that the tables lack are
added to them. proto/text.proto lists all the fields.

Examples:
  instantrace dump --format=textproto a.itrace > a.txt
  instantrace assemble a.txt -o b.itrace    # equal bytes)");
  return [Opts] { return runAssemble(*Opts); };
}
