"""What is kept of a page can be read anew, whatever is known by then."""

import pytest

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.events.pieces import Piece
from tests.unit.sources.events.given import LIST_URL, a_piece


def test_a_piece_is_read_as_it_was_written_byte_by_byte() -> None:
    piece = a_piece(b"\xff<p>\nno text\n", detail=f"{LIST_URL}/7")

    assert Piece.read(piece.written()) == piece


@pytest.mark.parametrize("kept", [b"", b"<html>", b"[]\n", b'{"url": 1}\n', b"\xff\xfe\n"])
def test_what_is_no_piece_says_so(kept: bytes) -> None:
    with pytest.raises(BadContent, match="no piece of a page"):
        Piece.read(kept)


def test_a_mere_link_holds_no_event() -> None:
    assert a_piece(b"", detail=f"{LIST_URL}/7").founds() == []
