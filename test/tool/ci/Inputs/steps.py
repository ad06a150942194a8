"""Runs the jobs of utils/integration/ci as the two services would.

Of the action: its run: steps with their env: and if:, and its cache by folders of a key.
Of GitLab: the lines of script:, with the variables of the first rule that holds. What is
an expression and not known here is an error. `gh` is a program that keeps comments in a
file; nothing else of a service is there.
"""

import json
import os
import re
import shutil
import subprocess

import yaml

TOP = os.path.dirname(os.getcwd())
GH = r"""#!/usr/bin/python3
import json, os, re, sys
Path = os.environ["COMMENTS"]
Known = json.load(open(Path)) if os.path.exists(Path) else []
Words = [W for W in sys.argv[1:] if W.startswith("repos/")][0]
Body = [W for W in sys.argv if W.startswith("body=@")]
Issue, Id = re.search(r"issues/(\d+)/comments$", Words), re.search(r"issues/comments/(\d+)$", Words)
assert sys.argv[1] == "api" and os.environ["GH_TOKEN"] == "secret", sys.argv
if not Body:  # what --jq would leave of the answer
    assert "--jq" in sys.argv, sys.argv
    for C in Known:
        if C["issue"] == int(Issue[1]) and C["body"].startswith("<!-- instantrace-ci -->"):
            print(C["id"])
    sys.exit(0)
Text = open(Body[0][len("body=@"):]).read()
if Id:
    assert "PATCH" in sys.argv, sys.argv
    [C for C in Known if C["id"] == int(Id[1])][0]["body"] = Text
else:
    Known.append({"id": len(Known) + 1, "issue": int(Issue[1]), "body": Text})
json.dump(Known, open(Path, "w"))
"""


class Job:
    code, summary, output, errors, comments, posted, kept, report = 0, "", "", "", {}, 0, "", None

    def __str__(self):
        return str(vars(self))


def read(Path):
    return open(Path, encoding="utf-8").read() if os.path.exists(Path) else ""


def evaluated(Expression, Known):
    """GitHub's operators on what is known."""
    Python = Expression.replace("!cancelled()", "True").replace("&&", " and ").replace("||", " or ")
    Python = re.sub(r"'[^']*'|[a-z_]+(?:\.[a-z_-]+)+", lambda M: M[0] if M[0][0] == "'" else repr(Known[M[0]]), Python)
    return eval(Python.strip(), {"__builtins__": {}})


def filled(Text, Known):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda M: str(evaluated(M[1], Known)), str(Text))


def environment(Folder, **More):
    Bin = os.path.join(TOP, "bin")
    if not os.path.exists(Bin):
        os.mkdir(Bin)
        with open(os.path.join(Bin, "gh"), "w") as File:
            File.write(GH)
        os.chmod(os.path.join(Bin, "gh"), 0o755)
    return {**os.environ, "PATH": ":".join([Bin, Folder, os.environ["PATH"]]), "COMMENTS": os.path.join(TOP, "comments"), **More}


def github(Folder, Event, number="", before="", base="", inputs=None):
    Action = yaml.safe_load(read(os.path.join(Folder, "action.yml")))
    Temp, Cache = os.path.join(TOP, "temp"), os.path.join(TOP, "cache")
    shutil.rmtree(Temp, ignore_errors=True)
    os.makedirs(Cache, exist_ok=True)
    Sha = subprocess.run(["git", "rev-parse", "HEAD"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    Given = {"build": "sh build.sh", "comment": "true", "token": "secret", **(inputs or {})}
    assert set(Given) <= set(Action["inputs"]), Given
    Known = {"inputs." + Name: Given.get(Name, Input.get("default")) for Name, Input in Action["inputs"].items()}
    Known.update({"runner.temp": Temp, "runner.os": "Linux", "github.sha": Sha, "github.event.before": before,
                  "github.event.pull_request.base.sha": base, "github.event.pull_request.number": number,
                  "github.event_name": Event, "github.repository": "a/b"})
    Env = environment(Folder, GITHUB_EVENT_NAME=Event, GITHUB_STEP_SUMMARY=os.path.join(TOP, "summary"))
    open(Env["GITHUB_STEP_SUMMARY"], "w").close()
    Done = Job()
    for Step in Action["runs"]["steps"]:
        # Without an `if`, a step is for when all before it have gone well.
        if not evaluated(Step["if"].strip()[3:-2], Known) if "if" in Step else Done.code != 0:
            continue
        With = {Name: filled(Value, Known) for Name, Value in Step.get("with", {}).items()}
        if Step.get("uses", "").startswith("actions/cache/restore@"):
            # The key itself, or the newest that begins like one of restore-keys.
            Newest = sorted((K for K in os.listdir(Cache) if K.startswith(With["restore-keys"].strip())),
                            key=lambda K: os.stat(os.path.join(Cache, K)).st_mtime_ns)
            Key = With["key"] if os.path.exists(os.path.join(Cache, With["key"])) else Newest[-1] if Newest else ""
            if Key:
                shutil.copytree(os.path.join(Cache, Key), With["path"])
        elif Step.get("uses", "").startswith("actions/cache/save@"):
            Into = os.path.join(Cache, With["key"])
            if os.path.exists(With["path"]) and not os.path.exists(Into): # a key is written once
                shutil.copytree(With["path"], Into)
                os.utime(Into)
        else:
            assert Step["shell"] == "bash", Step
            Ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", Step["run"]], capture_output=True, text=True,
                                 env={**Env, **{Name: filled(Value, Known) for Name, Value in Step.get("env", {}).items()}})
            Done.code = Done.code or Ran.returncode
            Done.output += Ran.stdout
            Done.errors += Ran.stderr
    Done.summary = read(Env["GITHUB_STEP_SUMMARY"])
    Comments = json.loads(read(Env["COMMENTS"]) or "[]")
    Done.comments, Done.posted = {C["issue"]: C["body"] for C in Comments}, len(Comments)
    Base = read(os.path.join(Temp, "instantrace/base/session.json"))
    Done.kept = json.loads(Base)["git"]["commit"] if Base else ""
    return Done


def gitlab(Folder, Branch):
    Template = yaml.safe_load(read(os.path.join(Folder, "instantrace.gitlab-ci.yml")))[".instantrace"]
    Known = {"CI_COMMIT_BRANCH": Branch, "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_SOURCE": "push"}
    if Branch != "main":
        del Known["CI_COMMIT_BRANCH"]
        Known["CI_PIPELINE_SOURCE"] = "merge_request_event"

    def holds(Rule):
        Left, Right = (Known.get(W[1:]) if W[0] == "$" else json.loads(W) for W in Rule["if"].split(" == "))
        return Left == Right

    Rule = next(R for R in Template["rules"] if holds(R))
    Variables = {**Template["variables"], **Rule.get("variables", {}), "INSTANTRACE_BUILD": "sh build.sh"}
    Cache = os.path.join(TOP, "gitlab-cache")
    for Path in Template["cache"]["paths"] + [".instantrace", *Template["artifacts"]["paths"]]:
        subprocess.run(["rm", "-rf", Path], check=True)
    if os.path.exists(Cache):
        shutil.copytree(Cache, Template["cache"]["paths"][0])
    Env = environment(Folder, **Known, **{Name: str(Value) for Name, Value in Variables.items()})
    Done = Job()
    Ran = subprocess.run(["sh", "-ec", "\n".join(Template["script"])], capture_output=True, text=True, env=Env)
    Done.code, Done.output, Done.errors = Ran.returncode, Ran.stdout, Ran.stderr
    After = subprocess.run(["sh", "-ec", "\n".join(Template["after_script"])], capture_output=True, text=True, env=Env)
    assert After.returncode == 0, After.stderr
    if Env["INSTANTRACE_CACHE"] == "pull-push" and os.path.exists(Template["cache"]["paths"][0]):
        shutil.rmtree(Cache, ignore_errors=True)
        shutil.copytree(Template["cache"]["paths"][0], Cache)
    Done.summary = read(Template["artifacts"]["paths"][0])
    Done.report = json.loads(read(Template["artifacts"]["reports"]["codequality"]))
    return Done
