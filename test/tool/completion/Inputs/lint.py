"""lint.py PAGE PREFIX: mandoc has no remark about PAGE and about the page of each
command that it lists, but for the date: a page of a version has none."""
import re
import subprocess
import sys

Page, Prefix = sys.argv[1:]
Text = open(Page).read()
Names = re.findall(r"^\.B (\S+)$", Text.split(".SH COMMANDS")[1].split(".SH OPTIONS")[0].replace(r"\-", "-"), re.M)
assert len(Names) > 10, Names
for Name in ["instantrace"] + Names:
    Path = Page
    if Name in Names:
        Path = "%s.%s" % (Prefix, Name)
        with open(Path, "w") as Out:
            subprocess.run(["instantrace", "man", Name], check=True, stdout=Out)
    Lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", Path],
                          capture_output=True, text=True)
    Remarks = [L for L in Lint.stdout.splitlines() if "missing date" not in L]
    assert not Remarks, "\n".join(Remarks)
    print("checked", Name)
