"""How many examples a property test tries: few, or many for `make fuzz`.

None has a deadline: a busy machine is no finding.
"""

import os

from hypothesis import settings

settings.register_profile("suite", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=1_000, deadline=None)


_PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "suite")
_SHARE = 4


def choose() -> None:
    """Take what the environment names, a share that fits into the suite where it names nothing."""
    settings.load_profile(_PROFILE)


def at_length(examples: int) -> int:
    """Give how many examples are tried of a property that tells what it takes: here a share."""
    return examples if _PROFILE == "thorough" else examples // _SHARE
