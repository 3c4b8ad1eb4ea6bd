from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.assistants.pieces import LONGEST, piece


@given(st.lists(st.text(alphabet="ab\n", max_size=9_000), max_size=6).map("".join))
def test_the_pieces_put_together_are_the_text(text: str) -> None:
    found, start = [], 0
    while start is not None:
        one = piece(text, start)
        found.append(one["text"])
        start = one["next_start"]

    assert "".join(found) == text
    assert all(len(one) <= LONGEST for one in found)


def test_a_piece_ends_with_a_line_where_it_can() -> None:
    assert piece("line\n" * LONGEST, 0)["text"].endswith("line\n")


def test_beyond_the_end_there_is_nothing_and_nothing_after_it() -> None:
    assert piece("abc", 99) == {"text": "", "start": 3, "length": 3, "next_start": None}
