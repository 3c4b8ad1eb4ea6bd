"""Looking for secrets in the largest texts that an answer may bring."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from n8n_scraper.policies.safety.secrets import findings_in, redact
from tests.growth import cpu_seconds
from tests.unit.policies.safety.test_secrets_at_length import HOSTILE


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("work", [findings_in, redact])
def test_eight_hundred_kilobytes_take_less_than_two_seconds(
    name: str, work: Callable[[Any], Any]
) -> None:
    values = [HOSTILE[name](size) for size in (100_000, 400_000, 800_000)]

    taken = [cpu_seconds(partial(work, value), rounds=1) for value in values]

    print(f"\n{work.__name__}, {name}: {[f'{1000 * one:.0f} ms' for one in taken]}")
    assert max(taken) < 2
