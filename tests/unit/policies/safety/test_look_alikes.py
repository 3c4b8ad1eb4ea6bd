"""What looks like a secret and is none, told by more than its form."""

import base64

import pytest

from n8n_scraper.policies.safety.look_alikes import (
    is_address,
    is_basic,
    is_password,
    is_placeholder,
    is_sk_key,
    looks_random,
)


@pytest.mark.parametrize(
    "written", ["YOUR_TOKEN_HERE", "<your key>", "sk-" + "x" * 20, "[REDACTED]", "abc...", "••••••"]
)
def test_what_stands_where_a_secret_belongs_is_a_placeholder(written: str) -> None:
    assert is_placeholder(written)


def test_a_word_far_inside_a_long_key_makes_no_placeholder() -> None:
    assert not is_placeholder("q7Z" * 100 + "your")


@pytest.mark.parametrize(
    ("word", "random"),
    [
        ("q7ZkP2mX9vLw", True),
        ("unmistakable", False),  # no digit
        ("123456789012", False),  # no letter
        ("aaaaaaaaaaa1", False),  # the same letter again and again
    ],
)
def test_a_key_has_letters_and_digits_and_many_of_them(word: str, random: bool) -> None:
    assert looks_random(word) is random


def test_the_name_of_a_style_is_no_key() -> None:
    assert not is_sk_key("sk-fading-circle-2-of-a-spinner")


@pytest.mark.parametrize(
    ("pair", "secret"),
    [
        (b"ada:hunter2", True),
        (b"ada:", False),  # a user alone
        (b"ada hunter2", False),  # no pair
        (b"ada:your_password", False),  # a placeholder
        (b"\xff:\xff", False),  # no text
    ],
)
def test_only_a_user_with_a_password_is_an_authorization(pair: bytes, secret: bool) -> None:
    assert is_basic(base64.b64encode(pair).decode()) is secret


def test_the_word_for_a_password_is_none() -> None:
    assert not is_password("Password")
    assert is_password("hunter2")


@pytest.mark.parametrize(
    ("address", "somebody"),
    [
        ("ada@acme.io", True),
        ("user@acme.io", False),  # a user that is nobody's
        ("ada@mail.example.org", False),  # a host that is nobody's
        ("logo@2x.png", False),  # a picture
    ],
)
def test_only_a_mailbox_that_may_be_somebodys_is_an_address(address: str, somebody: bool) -> None:
    assert is_address(address) is somebody
