"""Prints the results in a file of SARIF: rule, level, place, message.

usage: results.py FILE

Fails where GitHub would refuse the file, or show less of it: each result has a place
whose URI is relative to a root that is given, or absolute, and a rule with a help text.
"""

import json
import sys
from urllib.parse import unquote, urlsplit

Log = json.load(open(sys.argv[1], encoding="utf-8"))
assert Log["version"] == "2.1.0" and len(Log["runs"]) == 1, Log
Run = Log["runs"][0]
Rules = {Rule["id"]: Rule for Rule in Run["tool"]["driver"]["rules"]}
for Rule in Rules.values():
    for Key in ("shortDescription", "fullDescription", "help"):
        assert Rule[Key]["text"].endswith("."), Rule
Roots = Run.get("originalUriBaseIds", {})
for Root in Roots.values():
    assert Root["uri"].startswith("file:///") and Root["uri"].endswith("/"), Root
for Result in Run["results"]:
    assert Result["ruleId"] in Rules, Result
    (Location,) = Result["locations"]
    Place = Location["physicalLocation"]
    File = Place["artifactLocation"]
    assert urlsplit(File["uri"]).scheme == ("" if "uriBaseId" in File else "file"), File
    assert File.get("uriBaseId") in (None, *Roots), File
    Line = Place.get("region", {}).get("startLine")
    print(Result["ruleId"], Result["level"], unquote(File["uri"]) + (":%d" % Line if Line else ""), Result["message"]["text"])
