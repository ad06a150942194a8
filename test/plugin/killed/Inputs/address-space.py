"""A compiler that runs out of address space: its profile until then is there.

usage: address-space.py CLANG PLUGIN SCRATCH SOURCE

Bisection finds the least limit (ulimit -v) under which SOURCE still compiles
and, below it, the least under which something is recorded. At four limits in
between, without and with the plugin: the compiler dies in one of the ways in
which it dies without, says the same and one line of ours at most, and what it
leaves gives a trace whose events are a prefix.
"""

import os
import resource
import signal
import subprocess
import sys

from interrupted import (
    HANG_SECONDS,
    LINE,
    Fault,
    Undisturbed,
    check,
    fresh,
    hidden,
    main,
    recover_and_check,
    source_options,
)

MIB = 1024 * 1024
# What failed first was the plugin's, and Clang found no memory afterwards, either.
GIVEN_UP = "instantrace: warning: out of memory; for the profile until then: instantrace recover "


def compile_within(Limit, Clang, Plugin, Source, Folder):
    """(exit code, what is said first by Clang, our lines)"""
    fresh(Folder)

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (Limit * MIB, Limit * MIB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        Result = subprocess.run(
            [Clang] + (["-fplugin=" + Plugin] if Plugin else []) + ["-w", "-c"]
            + ["-fno-crash-diagnostics"]
            + source_options(Source) + ["-o", "a.o", Source],
            cwd=Folder,
            env=dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=limit if Limit else None,
            timeout=HANG_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Fault("it hangs with %s MiB; kept in %s" % (Limit, Folder))
    Lines = Result.stderr.decode(errors="replace").splitlines()
    Ours = [L for L in Lines if "instantrace" in L and not L.startswith("0.")]
    Ours = [L for L in Ours if "libinstantrace" not in L and "instantrace-clang" not in L]
    Theirs = [L for L in Lines if L not in Ours]
    # Out of memory is an abort, which Clang's recovery turns into an exit code
    # unless it has no memory either: at one limit in ten, without the plugin, too.
    Code = 128 + signal.SIGABRT if Result.returncode == -signal.SIGABRT else Result.returncode
    return Code, Theirs[0] if Theirs else "", Ours


def least(Low, High, Holds):
    """The least number above Low for which Holds, or up to 8 more; High does."""
    while High - Low > 8:
        Middle = (Low + High) // 2
        Low, High = (Low, Middle) if Holds(Middle) else (Middle, High)
    return High


def run():
    Clang, Plugin, Scratch, Source = sys.argv[1:]
    Folder = os.path.join(Scratch, "limited")
    compile_within(None, Clang, Plugin, Source, Folder)
    Reference = Undisturbed(os.path.join(Folder, "a.itrace"))

    def attempt(Limit, Plugin=Plugin):
        return compile_within(Limit, Clang, Plugin, Source, Folder)

    def leaves_events(Limit):
        attempt(Limit)
        Partial = os.path.join(Folder, ".a.itrace.partial")
        return os.path.exists(Partial) or os.path.exists(os.path.join(Folder, "a.itrace"))

    Enough = least(100, 3000, lambda Limit: attempt(Limit)[0] == 0)
    Little = least(100, Enough, leaves_events)
    print("%d MiB are enough, with %d something is recorded" % (Enough, Little))
    # The highest of the limits below has to be beyond what bisection left open.
    check(Enough - Little >= 40, "too little between the two")
    Limits = [Little + (Enough - Little) * I // 5 for I in range(4)]
    # What fails first differs from run to run.
    WithoutPlugin = {attempt(L, None)[:2] for L in Limits for _ in range(4)}
    # A stack that cannot grow is a SIGSEGV whose handler has no stack either.
    # Clang 22 alone: at 1 limit of 92, too rare to be sure to see it here.
    WithoutPlugin.add((-signal.SIGSEGV, ""))
    for Limit in Limits:
        Code, First, Ours = attempt(Limit)
        Where = "%d MiB: exit %d, %r" % (Limit, Code, First[:60])
        try:
            check(Code != 0, "it compiles")
            check(
                (Code, First) in WithoutPlugin,
                "without the plugin there is only %s" % WithoutPlugin,
            )
            check(
                not Ours or len(Ours) == 1 and Ours[0].startswith((LINE, GIVEN_UP)),
                "our lines are %s" % Ours,
            )
            Report = recover_and_check(Reference, Folder)
            check(Report["events"] > 0, "no event")
        except Fault as Reason:
            raise Fault("%s; kept in %s\n%s" % (Where, Folder, Reason))
        print(
            "%s, %d lines of ours, %d of %d events, %d without name"
            % (
                Where,
                len(Ours),
                Report["events"],
                len(Reference.Lines),
                Report["unnamed_entities"],
            )
        )
        sys.stdout.flush()


main(run)
