"""Says of commands whether their largest memory is bound by names, over traces of one
compile with the same 1000 entities and eight times as many intervals."""
import os
import subprocess

ENTITIES = 1000
FEW, MANY = 500000, 4000000
COMMANDS = [
    ["index", "--force", "-o", "x.itx"],
    ["summary", "--by=template"],
    ["summary", "--by=specialization"],
    ["summary", "--by=header"],
    ["summary", "--min-time=1ns"],
    ["depth"],
]
# The trace itself is 10 bytes for an interval, which may be mapped; the model has 48.
BYTES_PER_INTERVAL = 16


def largest(Words):
    """Bytes of the largest resident set."""
    Pid = os.fork()
    if Pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(Words[0], Words)
    _, Status, Usage = os.wait4(Pid, 0)
    assert Status == 0, (Words, Status)
    return Usage.ru_maxrss * 1024


for Count in (FEW, MANY):
    subprocess.run(["instantrace-make-buffer", "%d.itrace" % Count, "many", str(Count), str(ENTITIES)], check=True)
for Command in COMMANDS:
    Few, Many = [largest(["instantrace", *Command, "%d.itrace" % Count]) for Count in (FEW, MANY)]
    IsBound = Many - Few <= BYTES_PER_INTERVAL * (MANY - FEW)
    if Command[0] == "summary":
        # Whichever is less demanding of the user.
        for Count, Is in ((FEW, Few), (MANY, Many)):
            Trace = os.path.getsize("%d.itrace" % Count)
            IsBound = IsBound and Is <= max(3 * Trace, (64 << 20) + 100 * ENTITIES)
    Name = " ".join(Word for Word in Command if Word not in ("--force", "-o", "x.itx"))
    print("%s: %s the bound (%.0f and %.0f MB)" % (Name, "within" if IsBound else "exceeds", Few / 1e6, Many / 1e6))
# Names take memory: as many more of them exceed what is allowed to intervals.
subprocess.run(["instantrace-make-buffer", "named.itrace", "many", str(MANY), str(MANY // 4)], check=True)
IsBound = largest(["instantrace", "summary", "--by=specialization", "named.itrace"]) <= BYTES_PER_INTERVAL * (MANY - FEW)
print("more names: %s the bound" % ("within" if IsBound else "exceeds"))
os.remove("named.itrace")
for Count in (FEW, MANY):
    os.remove("%d.itrace" % Count)
