"""How many examples a property test tries that says nothing itself: few, or many for `make fuzz`.

None has a deadline: a busy machine is no finding.
"""

import os

from hypothesis import settings

settings.register_profile("suite", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=1_000, deadline=None)


def choose() -> None:
    """Take what the environment names, a share that fits into the suite where it names nothing."""
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
