"""Tests that cannot run here, for a reason that only the build or the machine knows.

A lit.local.cfg sets config.test_format = left_out.ShTest(reason) for its folder.
"""

import lit.formats
import lit.Test


class ShTest(lit.formats.ShTest):
    """lit's own, with no test that runs."""

    def __init__(self, Reason):
        super().__init__(execute_external=False)
        self.reason = Reason

    def execute(self, Test, LitConfig):
        return lit.Test.Result(lit.Test.UNSUPPORTED, self.reason)
