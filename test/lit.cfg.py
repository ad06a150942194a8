"""How lit runs the tests of one suite with one Clang.

Loaded by build/test/lit.site.cfg.py, which knows the build. Parameters:
  site=FILE    that file, when lit is given paths in the source tree
  suite=NAME   names the run; its scratch files are in build/test/out/NAME
  clang=MAJOR  the Clang of %clangxx and its relatives; the newest if empty
  plugins=DIR  the plugin is that of DIR in the build; the build's own if empty.
               without-callback is the one that there is

Substitutions:
  %clang_instantrace     clang++ of this run with the plugin loaded
  %clang_cc_instantrace  clang (the C driver) of this run with the plugin
  %clangxx, %clang       the same two without the plugin
  %both_hooks            clang++ of this run with the module that runs both hooks
  %other_clangxx         clang++ of another major
  %clang_major           its number
  %plugin                libinstantrace.so of this build
  %plugin_dir            the folder it is in
  %corpus                the folder of real translation units (feature `corpus`)
  %source_root, %build_root, %cmake, %cxx, %python
  %same_without_plugin CLANG...  compile without and with the plugin, compare all
  %check_trace FILE...           verify, and the agreement of all readers
  %speedscope FILE               what speedscope's importers read in it
  %sarif_schema          the schema of SARIF 2.1.0
  %vscode_modules        the npm packages of our extension for VS Code
  %trace-processor FILE SQL...   answers of Perfetto's trace processor
  %page SCRIPT FILE.html...      runs Python with test/tool/report/Inputs/page.py
In PATH: instantrace, FileCheck, not, count, split-file, protoc, file.

Features: clang-19 (this very major), clang-ge-16 (this major or later),
oldest-clang and newest-clang (of Debian 12's in plugin/clang-majors.txt), callback or observer
(whether the plugin was built with Clang's callback for instantiations, which it goes by then,
or without), templight-dump (this Clang has the option), probes (they can be had), aarch64 (the architecture), corpus, clang-tidy (of this major), root (permissions
do not stop us), apt (root, and apt has lists of a Debian's packages), plugin (of this build: the one with AddressSanitizer has none), asan, ubsan, tsan, speedscope, trace-processor, sarif-schema, vscode (packages that only
tests need).
"""

import functools
import glob
import os
import platform
import shutil
import sys

if not hasattr(config, "build_root"):
    # lit was given a path in the source tree: take the build it names, or the
    # one in build/, whose site configuration loads this file again.
    Site = lit_config.params.get("site") or os.path.join(
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        "build/test/lit.site.cfg.py",
    )
    if not os.path.exists(Site):
        lit_config.fatal("no build to test: %s is missing" % Site)
    lit_config.load_config(config, Site)
    raise SystemExit

sys.path.insert(0, os.path.join(config.source_root, "test"))
import left_out  # noqa: E402
import some_clangs  # noqa: E402
import with_asan  # noqa: E402

config.suffixes = [".c", ".cpp", ".cppm", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs", "fuzz", "unit"]
config.test_source_root = os.path.join(config.source_root, "test")

Suite = lit_config.params.get("suite", "by-hand")
Major = int(lit_config.params.get("clang") or (config.clang_majors or [0])[-1])
if Major and Major not in config.clang_majors:
    lit_config.fatal(
        "clang=%d is not among the Clangs of this build: %s"
        % (Major, " ".join(map(str, config.clang_majors)))
    )
config.name = "instantrace :: " + Suite
config.test_exec_root = os.path.join(config.build_root, "test", "out", Suite)


def clang(Driver, Version):
    return os.path.join(config.llvm_prefix + str(Version), "bin", Driver)


Plugins = lit_config.params.get("plugins") or ""
PluginDir = os.path.join(config.build_root, Plugins, "lib", "instantrace")
Plugin = os.path.join(PluginDir, "libinstantrace.so")
Corpus = os.path.join(os.path.dirname(config.source_root), "shared", "corpus")


def substitute(Name, Value):
    # A whole word: %clang must not match in %clangxx or %clang_major.
    config.substitutions.append(("%" + Name + r"\b", Value))


if Major:
    Others = [M for M in config.clang_majors if M != Major]
    substitute("clang_instantrace", clang("clang++", Major) + " -fplugin=" + Plugin)
    substitute("clang_cc_instantrace", clang("clang", Major) + " -fplugin=" + Plugin)
    substitute(
        "both_hooks",
        "%s -fplugin=%s/bench/instantrace-hooks-clang-%d.so" % (clang("clang++", Major), PluginDir, Major),
    )
    substitute("llvm_include", os.path.join(config.llvm_prefix + str(Major), "include"))
    substitute("clang_major", str(Major))
    substitute("clangxx", clang("clang++", Major))
    substitute("clang", clang("clang", Major))
    if Others:
        Other = Others[0] if Major == config.clang_majors[-1] else Others[-1]
        substitute("other_clangxx", clang("clang++", Other))
        config.available_features.add("other-clang")
    HasCallback = Major in config.callback_majors and Plugins != "without-callback"
    config.available_features.add("callback" if HasCallback else "observer")
    if Major in config.callback_majors:
        config.available_features.add("templight-dump")
    config.available_features.add("clang-%d" % Major)
    if os.path.exists(clang("clang-tidy", Major)):
        config.available_features.add("clang-tidy")
    config.available_features.update("clang-ge-%d" % M for M in range(config.tested_majors[0], Major + 1))
    if Major == config.tested_majors[0]:
        config.available_features.add("oldest-clang")
    if Major == config.tested_majors[-1]:
        config.available_features.add("newest-clang")
# What some_clangs.py lists is left to other Clangs, but where somebody names the test:
# build/test/lit.
Place = {config.tested_majors[0]: "oldest", config.tested_majors[-1]: "newest"}.get(Major, "between")
HasAsan = "address" in config.sanitizers
Reasons = []
if not Suite.startswith("by-hand"):
    Reasons.append(functools.partial(some_clangs.reason, Place=Place, HasCallback=Plugins != "without-callback"))
    if HasAsan:
        Reasons.append(with_asan.reason)
config.test_format = left_out.ShTest(*Reasons)
for Folder, Names in (("plugin", some_clangs.WITH), ("tool", with_asan.WITH)):
    for Name in Names:
        # A test that has moved would be left out, or not, without a word.
        if not os.path.exists(os.path.join(config.test_source_root, Folder, Name)):
            lit_config.fatal("a list of tests names test/%s/%s, which is not there" % (Folder, Name))
# Viewers that `utils/dev setup` unpacks from npm packages (test/viewers). Every
# build of this source tree finds them in build/.
Viewers = os.path.join(config.source_root, "build", "viewers")
for Viewer, Script in (("speedscope", "speedscope.js"), ("trace-processor", "trace-processor.js"), ("chdb", "chdb.js"), ("mcp", "mcp.js")):
    Package = os.path.join(Viewers, Viewer)
    if shutil.which("node") and os.path.isdir(Package):
        Script = os.path.join(config.source_root, "test", "viewers", Script)
        substitute(Viewer, "node %s %s" % (Script, Package))
        config.available_features.add(Viewer)
substitute("inspector", "node %s --cli" % os.path.join(Viewers, "mcp/node_modules/@modelcontextprotocol/inspector-cli/build/cli.js"))
Sarif = os.path.join(Viewers, "sarif/lib/schemas/sarif-2.1.0-rtm.5.json")
if os.path.exists(Sarif):
    substitute("sarif_schema", Sarif)
    config.available_features.add("sarif-schema")
# The packages of our extension for VS Code, one of which is the protocol's.
VsCode = os.path.join(Viewers, "vscode", "node_modules")
if shutil.which("npm") and os.path.isdir(VsCode):
    substitute("vscode_modules", VsCode)
    config.available_features.add("vscode")
Axe = os.path.join(Viewers, "axe", "axe.min.js")
if os.path.exists(Axe):
    substitute("axe", Axe)
    config.available_features.add("axe")
# What is tested may be of another architecture than this Python (utils/arm64.sh).
Machine = "aarch64" if "QEMU_LD_PREFIX" in os.environ else platform.machine()
config.available_features.add(Machine)
# Debian's 21 has pushes inlined, see plugin/probes/inlined-pushes.test.
if Machine == "x86_64" and Major != 21:
    config.available_features.add("probes")
if os.path.exists(Plugin):
    config.available_features.add("plugin")
if shutil.which("clickhouse-server"):
    config.available_features.add("clickhouse")
# What builds, or compiles elsewhere. utils/dev installs distcc and sccache, but not bazel, which
# needs Java, nor icecc, whose package starts a server.
config.available_features.update(Tool for Tool in ("bazel", "distcc", "gdb", "icecc", "nvim", "sccache", "strace", "valgrind") if shutil.which(Tool))
substitute("plugin_dir", PluginDir)
substitute("plugin", Plugin)
substitute("llvm_prefix", config.llvm_prefix)
substitute("source_root", config.source_root)
substitute("build_root", config.build_root)
substitute("cmake", config.cmake)
substitute("cxx", config.cxx)
substitute("python", sys.executable)
# Debian's own Python: the one in PATH may be another and have no Selenium.
substitute(
    "page",
    "env PYTHONPATH=%s/test/tool/report/Inputs /usr/bin/python3" % config.source_root,
)
Inputs = os.path.join(config.source_root, "test", "plugin", "Inputs")
substitute(
    "same_without_plugin",
    "%s %s/same-without-plugin.py %s %%t.d" % (sys.executable, Inputs, Plugin),
)
substitute(
    "check_trace",
    "%s %s/check-trace.py %s" % (sys.executable, Inputs, config.source_root),
)
if os.path.isdir(Corpus):
    substitute("corpus", Corpus)
    config.available_features.add("corpus")
if os.geteuid() == 0:
    config.available_features.add("root")
    # It can make another system of the Debian that this machine is.
    if shutil.which("apt-get") and shutil.which("unshare") and glob.glob("/var/lib/apt/lists/*_Packages*"):
        config.available_features.add("apt")
for Sanitizer, Feature in (
    ("address", "asan"),
    ("undefined", "ubsan"),
    ("thread", "tsan"),
):
    if Sanitizer in config.sanitizers:
        config.available_features.add(Feature)

# Nothing of the caller's environment may change what a test sees.
config.environment = {
    # What takes long is another in each run: tests that are about it say what is long.
    "INSTANTRACE_STATEMENT_TIME": "3600000000",
    "PATH": os.pathsep.join(
        [
            os.path.join(config.build_root, "bin"),
            os.path.join(config.build_root, "test", "tools"),
            os.environ.get("PATH", "/usr/bin:/bin"),
        ]
    ),
    # The checkout is no repository of a test: what git says of its last three months took
    # longer than the advice that was asked for.
    "GIT_CEILING_DIRECTORIES": config.build_root,
    "HOME": config.test_exec_root,
    "LC_ALL": "C.UTF-8",
    "LLVM_DISABLE_CRASH_REPORT": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
# That of a suite is ours (utils/suites.sh).
if not Major or not os.path.exists(clang("clang++.cfg", Major)):
    config.environment["CLANG_NO_DEFAULT_CONFIG"] = "1"
# Where an emulator of another architecture has its libraries (utils/arm64.sh).
if "QEMU_LD_PREFIX" in os.environ:
    config.environment["QEMU_LD_PREFIX"] = os.environ["QEMU_LD_PREFIX"]
if HasAsan:
    # The tool is started thousands of times, and each start would take half as long
    # again. What leaks is seen where the unit tests run everything in one process.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:detect_odr_violation=0"
