"""Sessions that are others again, of builds at other moments."""

import hashlib
import json
import os
import shutil

from stored import session


def replay(Session, Into, BegunNs, Host="host", **Git):
    """The session as one that began then, of another commit."""
    shutil.copytree(Session, Into)
    Facts = session(Into)
    Facts["begun_realtime_ns"] = BegunNs
    Facts["machine"]["host"] = Host
    if "git" in Facts:  # of a repository
        Facts["git"].update({"commit": hashlib.sha1(b"%d" % BegunNs).hexdigest(), **Git})
    with open(Into + "/session.json", "w") as File:
        json.dump(Facts, File)
    return os.path.abspath(Into)
