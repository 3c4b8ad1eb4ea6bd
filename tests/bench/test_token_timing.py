"""A wrong token that begins like the right one takes no longer than one that does not."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.serve.guard.tokens import is_token
from tests.serving import TO_OTHERS, TOKEN, served

# As long as a header may be, so that whoever compares sign by sign gives himself away.
LONG = "0123456789abcdef" * 400
NOTHING_RIGHT = "x" * len(LONG)
ALL_BUT_THE_LAST = LONG[:-1] + "x"
AT_ONCE = 20
TRIED_FROM_ONE_ADDRESS = 10

Compare = Callable[[str, str], bool]


def sign_by_sign(given: str, token: str) -> bool:
    """Compare as nobody should: to show that what is measured here can be measured."""
    return len(given) == len(token) and all(map(str.__eq__, given, token))


def seconds_of_processor(compare: Compare, given: str) -> float:
    begun = time.process_time_ns()
    for _ in range(AT_ONCE):
        compare(given, LONG)
    return (time.process_time_ns() - begun) / AT_ONCE / 1e9


def of_both(measure: Callable[[str], float], one: str, other: str, rounds: int) -> float:
    """Say how many times as long one takes, by turns, each time another one first."""
    took: dict[str, list[float]] = {one: [], other: []}
    for number in range(rounds):
        for given in (one, other) if number % 2 else (other, one):
            took[given].append(measure(given))
    return median(took[one]) / median(took[other])


@pytest.mark.parametrize(
    ("rounds", "most"),
    [
        pytest.param(200, 0.2, id="suite"),
        pytest.param(5_000, 0.01, id="bench", marks=pytest.mark.long),
    ],
)
def test_how_much_of_a_token_is_right_does_not_show_in_the_time(rounds: int, most: float) -> None:
    def ours(given: str) -> float:
        return seconds_of_processor(is_token, given)

    ratio = of_both(ours, ALL_BUT_THE_LAST, NOTHING_RIGHT, rounds)

    print(f"a right beginning takes {ratio:.4f} times as long")
    assert abs(ratio - 1) < most


def test_a_comparison_sign_by_sign_would_be_seen() -> None:
    def theirs(given: str) -> float:
        return seconds_of_processor(sign_by_sign, given)

    assert of_both(theirs, ALL_BUT_THE_LAST, NOTHING_RIGHT, 20) > 2


@pytest.mark.long
@pytest.mark.timeout(600)
def test_nor_does_it_over_http(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/archive.db")) as database:
        database.open()
    begins_right, nothing_right = TOKEN[:-1] + "x", "x" * len(TOKEN)
    with ExitStack() as stack:
        server = stack.enter_context(served(f"sqlite:///{tmp_path}/archive.db", TO_OTHERS))
        asking = stack.enter_context(closing(Asking(server.url)))
        ratio = of_both(asking.once, begins_right, nothing_right, 5_000)
        same = of_both(asking.once, nothing_right, "y" * len(TOKEN), 5_000)

    print(f"over HTTP {ratio:.4f} times as long; of two that are wrong alike {same:.4f} times")
    assert abs(ratio - 1) < 0.02 + abs(same - 1)


class Asking:
    """Asks from one address of this machine after the other: each may be wrong so many times."""

    def __init__(self, url: str) -> None:
        self._port = urlsplit(url).port
        self._asked = 0
        self._connection: HTTPConnection | None = None

    def once(self, token: str) -> float:
        if self._connection is None or self._asked % TRIED_FROM_ONE_ADDRESS == 0:
            self._move()
        assert self._connection is not None
        self._asked += 1
        begun = time.perf_counter()
        self._connection.request("GET", "/api/runs", headers={"Authorization": f"Bearer {token}"})
        answer = self._connection.getresponse()
        answer.read()
        took = time.perf_counter() - begun
        assert answer.status == 401
        return took

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _move(self) -> None:
        self.close()
        number = self._asked // TRIED_FROM_ONE_ADDRESS
        source = f"127.1.{number // 250}.{number % 250 + 1}"
        self._connection = HTTPConnection("127.0.0.1", self._port, source_address=(source, 0))
        # The first answer on a connection takes longer, whatever is asked.
        self._connection.request("GET", "/login")
        self._connection.getresponse().read()
