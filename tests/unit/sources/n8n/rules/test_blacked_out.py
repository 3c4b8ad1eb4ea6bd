"""What the server blacks out is no edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.rules.blacked_out import is_blacked_out, same

SAME = [
    # A secret as the whole value, even one with spaces
    ("sk-abc123", "YOUR_OPENAI_KEY_HERE"),
    ("-----BEGIN KEY-----\nabc def\n-----END KEY-----", "YOUR_PRIVATE_KEY_HERE"),
    ("5f2a-91", "YOUR_WEBHOOK_ID"),
    # A secret inside a text, an address, base64
    ("Bearer abc.def", "Bearer YOUR_TOKEN_HERE"),
    (
        "https://docs.google.com/d/1AbC/edit#gid=0",
        "https://docs.google.com/d/YOUR_AWS_SECRET_KEY_HERE/edit#gid=0",
    ),
    ("iVBORw0KGgoSECRETxyzAAAA", "iVBORw0KGgoYOUR_AWS_SECRET_KEY_HEREAAAA"),
    # A neighbour in capitals touches the placeholder
    ("abSECRETCD_Ef", "abYOUR_TOKEN_HERECD_Ef"),
    # Mail addresses, several in one text
    ("to ada@example.org, bob@x.io", "to user@example.com, user@example.com"),
    ("a 1 b 22 c", "a YOUR_TOKEN_HERE b YOUR_TOKEN_HERE c"),
    ("k=1&k=2", "k=YOUR_KEY_HERE&k=YOUR_KEY_HERE"),
    # Credentials, in the forms that they come in
    ({"id": "12", "name": "My Slack"}, {"id": "credential-id", "name": "slackApi Credential"}),
    ("my-credential", {"id": "credential-id", "name": "slackApi Credential"}),
    ({"slackApi": {"id": "1", "name": "x"}}, "[REDACTED]"),
    (True, "[REDACTED]"),
    # Anywhere inside
    ({"a": [1, {"b": "key 7"}]}, {"a": [1, {"b": "key YOUR_KEY"}]}),
]

EDITED = [
    ("Bearer abc.def", "Basic YOUR_TOKEN_HERE"),
    ("Bearer abc.def now", "Bearer YOUR_TOKEN_HERE"),
    ("Bearer", "Bearer YOUR_TOKEN_HERE"),
    ("a SECRET b\nand more", "a YOUR_TOKEN_HERE b\nand less"),
    ("write to nobody", "write to user@example.com"),
    ("", "YOUR_TOKEN_HERE"),
    (None, "[REDACTED]"),
    (None, "YOUR_TOKEN_HERE"),
    ("xSECRET", "YOUR_TOKEN_HEREy"),
    ("ab", "aYOUR_TOKEN_HEREb"),  # no room for a secret
    ("a-b", "a-YOUR_A_HERE-YOUR_B_HERE-b"),
    (["a"], ["a", "YOUR_TOKEN_HERE"]),
    ({"a": 1}, {"a": 1, "token": "YOUR_TOKEN_HERE"}),
    ({"slackApi": {"id": "1"}}, {"gmailApi": {"id": "credential-id", "name": "g Credential"}}),
    (7, {"id": "credential-id", "name": "x Credential"}),
    ({"id": "1"}, {"id": "credential-id", "name": "x Credential", "more": 1}),
    (1, True),
    (0, False),
    ("1", 1),
]


@pytest.mark.parametrize(("original", "redacted"), SAME)
def test_a_value_and_the_same_value_blacked_out_are_the_same(
    original: object, redacted: object
) -> None:
    assert same(original, redacted)
    assert same(redacted, original)


@pytest.mark.parametrize(("one", "other"), EDITED)
def test_an_edit_beside_or_instead_of_a_placeholder_is_found(one: object, other: object) -> None:
    assert not same(one, other)
    assert not same(other, one)


def test_numbers_are_compared_as_numbers() -> None:
    assert same(1, 1.0)
    assert not same(1, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside),
    max_leaves=12,
)


@given(JSON)
def test_everything_is_the_same_as_itself(value: object) -> None:
    assert same(value, value)


@given(JSON, JSON)
def test_the_order_of_the_two_does_not_matter(one: object, other: object) -> None:
    assert same(one, other) == same(other, one)


@given(
    st.lists(st.text("ab /\n", max_size=6), min_size=2, max_size=5),
    st.lists(st.text("cd", min_size=1, max_size=4), min_size=4, max_size=4),
)
def test_whatever_secrets_were_replaced_the_text_is_the_same(
    pieces: list[str], secrets: list[str]
) -> None:
    original, redacted = pieces[0], pieces[0]
    for piece, secret in zip(pieces[1:], secrets, strict=False):
        original += secret + piece
        redacted += "YOUR_TOKEN_HERE" + piece

    assert is_blacked_out(redacted, original)


def test_a_very_long_value_with_many_placeholders_is_judged_at_once() -> None:
    # Given what would cost a search with backtracking hours
    original = "ab" * 200_000
    redacted = "YOUR_A_HEREab" * 200 + "c"

    assert not is_blacked_out(redacted, original)
