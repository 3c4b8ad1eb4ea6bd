"""The piece of a text that answers."""

import html

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.search.snippets import (
    LENGTH,
    MARK,
    UNMARK,
    as_html,
    marked,
    pieces,
    snippet,
    without_marks,
)


def test_the_piece_with_most_of_the_words_is_shown_with_each_form_marked() -> None:
    text = (
        f"It begins with invoices. {'And so on. ' * 60}Slack tells of an invoice. {'More. ' * 60}"
    )

    shown = snippet(text, {"slack", "invoic"})

    assert f"{MARK}Slack{UNMARK} tells of an {MARK}invoice{UNMARK}" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_a_word_that_only_begins_like_another_is_not_marked() -> None:
    assert marked("Slacker, unslack, slack", {"slack"}) == f"Slacker, unslack, {MARK}slack{UNMARK}"


def test_accents_do_not_hide_a_word() -> None:
    assert marked("Uma Automação", {"automacao"}) == f"Uma {MARK}Automação{UNMARK}"


def test_where_no_word_stands_the_beginning_is_shown() -> None:
    assert snippet("One. " * 100, {"slack"}).startswith("One. One.")
    assert snippet("", {"slack"}) == ""


def test_marks_become_tags_only_behind_escaping() -> None:
    shown = as_html(marked("<script>slack</script>", {"slack"}))

    assert shown == "&lt;script&gt;<mark>slack</mark>&lt;/script&gt;"


def test_a_presenter_that_has_no_tags_takes_the_pieces() -> None:
    text = marked("Ask slack now", {"slack"})

    assert list(pieces(text)) == [("Ask ", False), ("slack", True), (" now", False)]
    assert without_marks(text) == "Ask slack now"


_TEXT = st.text(st.characters(exclude_characters=MARK + UNMARK, exclude_categories=["Cs"]))


@given(_TEXT, st.sets(st.sampled_from(["slack", "a", "0", "é", "invoic"])))
def test_whatever_the_text_marks_are_paired_and_nothing_else_is_a_tag(
    text: str, stems: set[str]
) -> None:
    shown = snippet(text, stems)

    assert len(without_marks(shown)) <= LENGTH + 2
    assert without_marks(marked(text, stems)) == " ".join(text.split()) or any(
        sign.isspace() for sign in text
    )
    assert html.unescape(as_html(shown).replace("<mark>", "").replace("</mark>", "")) == (
        html.unescape(html.escape(without_marks(shown)))
    )
