"""Every way of `names` to look at the given traces takes little output, time
and memory, and ends as it should: with success, or as bad input."""
import resource
import subprocess
import sys

Ways = [[], ["--json"], ["--list"], ["--by=class"], ["--by=namespace"], ["--by=template"],
        ["--list", "--strip-args"], ["--list", "--match", "x$"]]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


for Trace in sys.argv[1:]:
    for Way in Ways:
        Done = subprocess.run(["instantrace", "names"] + Way + [Trace],
                              capture_output=True, preexec_fn=limit)
        assert Done.returncode in (0, 1), (Way, Trace, Done)
        assert len(Done.stdout) < 1 << 20, (Way, Trace, len(Done.stdout))
        assert Done.returncode == 0 or Done.stderr, (Way, Trace, Done)
