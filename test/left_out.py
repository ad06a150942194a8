"""Tests that are left out, for a reason that lit counts them by.

A lit.local.cfg sets config.test_format = left_out.ShTest(reason) for its folder, where
only the build or the machine knows it; lit.cfg.py goes by lists (some_clangs.py,
with_asan.py).
"""

import lit.formats
import lit.Test


class ShTest(lit.formats.ShTest):
    """lit's own, but for what has a reason. Each is a text for all tests, or a function
    of a test's path, seen from test/, that gives the reason or None; lit sends it to
    other processes."""

    def __init__(self, *Reasons):
        super().__init__(execute_external=False)
        self.reasons = Reasons

    def execute(self, Test, LitConfig):
        Path = "/".join(Test.path_in_suite)
        for Reason in self.reasons:
            Why = Reason if isinstance(Reason, str) else Reason(Path)
            if Why:
                return lit.Test.Result(lit.Test.UNSUPPORTED, Why)
        return super().execute(Test, LitConfig)
