"""Secrets inside templates: found by kind and place, never said, and replaced where wanted."""

import base64
import json
import re
from copy import deepcopy
from functools import cache
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.safety.secrets import findings_in, redact
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue

HEX = "0123456789abcdef"
ALNUM = ascii_letters + digits
WORD = ALNUM + "_-"
MARKER = re.compile(r"\[REDACTED:[^\]]*\]")


def planted(random: Random) -> dict[str, tuple[str, str]]:
    """A new secret of each kind, put together here so that none stands in a file: kind, secret."""

    def some(letters: str, count: int) -> str:
        return "a7Z"[: count // 8] + "".join(random.choices(letters, k=count - count // 8))

    def of(alphabet: str, count: int) -> str:
        return "".join(random.choices(alphabet, k=count))

    def jwt_part(**claims: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")

    jwt = f"{jwt_part(alg='HS256')}.{jwt_part(sub=of(digits, 9))}.{of(WORD, 43)}"
    pem = "\n".join(of(ALNUM + "+/", 64) for _ in range(12))
    begin, end = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return {
        "AWS key id": ("AWS key id", "AKIA" + of(ascii_uppercase + digits, 16)),
        "GitHub classic": ("GitHub token", "ghp_" + of(ALNUM, 36)),
        "GitHub fine": ("GitHub token", f"github_pat_{of(ALNUM, 22)}_{of(ALNUM, 59)}"),
        "GitLab": ("GitLab token", "glpat-" + of(ALNUM, 20)),
        "Slack token": ("Slack token", f"xoxb-{of(digits, 12)}-{of(digits, 13)}-{of(ALNUM, 24)}"),
        "Slack webhook": (
            "Slack webhook",
            f"https://hooks.slack.com/services/T{of(ALNUM, 8)}/B{of(ALNUM, 8)}/{of(ALNUM, 24)}",
        ),
        "Stripe": ("Stripe key", "sk_live_51" + of(ALNUM, 97)),
        "OpenAI old": ("OpenAI key", f"sk-{some(ALNUM, 20)}T3BlbkFJ{of(ALNUM, 20)}"),
        "OpenAI new": ("OpenAI key", f"sk-proj-{some(ALNUM, 74)}T3BlbkFJ{of(ALNUM, 74)}"),
        "OpenAI plain": ("OpenAI key", "sk-" + some(ALNUM, 48)),
        "Anthropic": ("Anthropic key", "sk-ant-api03-" + of(WORD, 93) + "AA"),
        "Google": ("Google API key", "AIza" + of(ALNUM, 35)),
        "Telegram": ("Telegram bot token", f"{random.randrange(10**9, 10**10)}:AA{of(ALNUM, 33)}"),
        "SendGrid": ("SendGrid key", f"SG.{of(ALNUM, 22)}.{of(ALNUM, 43)}"),
        "Twilio": ("Twilio key", "SK" + of(HEX, 32)),
        "JWT": ("JWT", jwt),
        "private key": ("private key", f"{begin}\n{pem}\n{end}"),
        "email": ("email", f"{of(ascii_lowercase, 7)}.lee@{of(ascii_lowercase, 9)}.io"),
    }


def in_surroundings(random: Random) -> dict[str, tuple[str, str, str]]:
    """Secrets that only what stands around them gives away: kind, secret, whole text."""

    def of(alphabet: str, count: int) -> str:
        return "a7Z" + "".join(random.choices(alphabet, k=count - 3))

    secret, token, word = of(ALNUM + "/+", 40), of(ALNUM, 40), of(ALNUM, 12)
    pair = base64.b64encode(f"ada:{word}".encode()).decode()
    return {
        "AWS secret": ("AWS secret key", secret, f'aws_secret_access_key = "{secret}"'),
        "bearer": ("bearer token", token, f"Authorization: Bearer {token}"),
        "token": ("bearer token", token, f"Authorization: Token {token}"),
        "basic": ("basic authorization", pair, f"Basic {pair}"),
        "URL": ("password in a URL", word, f"postgres://ada:{word}@db.acme.io:5432/main"),
        "URL without user": ("password in a URL", word, f"redis://:{word}@cache.acme.io"),
        "Telegram address": (
            "Telegram bot token",
            f"1234567890:AA{token[:33]}",
            f"=https://api.telegram.org/bot1234567890:AA{token[:33]}/getFile?id={{{{ $json.id }}}}",
        ),
        "key in a body": ("API key", token, f'={{"api_key": "{token}", "query": "x"}}'),
        "key in a note": ("API key", token, f"Use the pre-configured token: `{token}`."),
        "short key": ("API key", token[:14], f"https://api.acme.io/parse?apikey={token[:14]}&x=1"),
        "password in a note": ("password", word, f"- `report_password`: `{word}`"),
        "key in escaped JSON": ("API key", token, f'{{\\"apiKey\\": \\"{token}\\"}}'),
    }


KINDS_PLANTED = sorted(planted(Random(0)))
KINDS_AROUND = sorted(in_surroundings(Random(0)))


def kinds(value: Any) -> list[str]:
    return [one.kind for one in findings_in(value)]


@cache
def workflows() -> list[dict[str, Any]]:
    """Workflows of the stand-in without their secrets, odd ones among them."""
    catalogue = Catalogue(templates=60)
    return [redact(catalogue[number].workflow) for number in catalogue.ids]


def places_to_plant(workflow: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
    """Where an author's slip would put it: a parameter, a note, pinned data."""
    nodes = [node for node in workflow["nodes"] if isinstance(node.get("parameters"), dict)]
    notes = [node for node in nodes if node["type"] == "n8n-nodes-base.stickyNote"]
    workflow["pinData"] = {"First node": [{"json": {"body": {}}}]}
    found = [("parameters", node["parameters"], "jsCode") for node in nodes[:1]]
    found += [("note", node["parameters"], "content") for node in notes[:1]]
    return [*found, ("pinData", workflow["pinData"]["First node"][0]["json"]["body"], "text")]


@pytest.mark.parametrize("name", KINDS_PLANTED)
def test_a_planted_secret_is_found_wherever_it_stands(name: str) -> None:
    random = Random(name)
    seen = set()
    for number, workflow in enumerate(deepcopy(workflows())):
        # given
        places = places_to_plant(workflow)
        place, parent, key = places[number % len(places)]
        kind, secret = planted(random)[name]
        parent[key] = f"Use {secret}, it works.\nThen go on."

        # when
        found = findings_in(workflow, "workflow")

        # then: it alone, and not the secret itself
        assert [(one.kind, one.count) for one in found] == [(kind, 1)]
        assert secret not in repr(found)
        seen.add(place)
    assert seen == {"parameters", "note", "pinData"}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", KINDS_PLANTED)
def test_no_piece_of_a_secret_is_left(name: str, seed: int) -> None:
    kind, secret = planted(Random(seed))[name]

    assert redact(f'key: "{secret}"') == f'key: "[REDACTED:{kind}]"'


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", KINDS_AROUND)
def test_what_stands_around_a_secret_gives_it_away_and_stays(name: str, seed: int) -> None:
    kind, secret, text = in_surroundings(Random(seed))[name]

    assert redact(text) == text.replace(secret, f"[REDACTED:{kind}]")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"name": "x-api-key", "value": "9D7B4584BE7D-418F-894F-5F602256456A"}, "API key"),
        ({"httpBasicAuth": {"user": "ada", "password": "hunter2!"}}, "password"),
        ({"name": "smtp_password", "value": "Almafa123456"}, "password"),
        ({"secretAccessKey": "a7Z" + "Kq9/mB4x" * 4 + "sT2vW"}, "AWS secret key"),
    ],
)
def test_a_name_gives_a_secret_of_any_form_away(value: dict[str, Any], kind: str) -> None:
    assert kinds(value) == [kind]


@pytest.mark.parametrize(
    "harmless",
    [
        # what the site puts in the place of secrets
        "YOUR_AWS_SECRET_KEY_HERE",
        "Bearer YOUR_TOKEN_HERE",
        "https://docs.google.com/document/d/YOUR_AWS_SECRET_KEY_HERE/edit",
        "user@example.com",
        {"httpHeaderAuth": {"id": "credential-id", "name": "httpHeaderAuth Credential"}},
        {"credentials": "[REDACTED]"},
        # what authors put there
        {"name": "apiKey", "value": "={{ $json.apiKey_1234567890 }}"},
        {"name": "Authorization", "value": "=Bearer {{ $json.access_token_1 }}"},
        {"name": "Authorization", "value": "Bearer <your-token-1234567890>"},
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1",
        "AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
        "https://user:password@host.com",
        "postgres://{{user}}:{{pass}}@host.com",
        "-----BEGIN PRIVATE KEY-----\nYOUR_KEY\n-----END PRIVATE KEY-----",
        "your.name@gmail.com",
        "ada@test.com, ada@mail.example.org, ada@server.test",
        # what only looks like a secret
        "@n8n/n8n-nodes-langchain.agent",
        "git@github.com:n8n-io/n8n.git",
        "logo@2x.png",
        "19:meeting@thread.v2",
        "491701234567@s.whatsapp.net",
        "sk-fading-circle-of-a-spinner-2",
        {"name": "nextPageToken", "value": "CAoQAA1234567890abcdefgh"},
        "a token that-must-be-renewed-every-90-days",
        "postman-token: e10e747f-0668-4238-9a3d-148b2c8591da",
        {"webhookId": "1c217a0f-503f-49a4-b0c5-1aa431616177"},
        "https://example.org:8080/a@b",
        {"data": "QUtJQTEyMzQ1Njc4OTBBQkNERUYg" * 400 + "AKIAIOSFODNN7ABCDEFG"},
        17,
        None,
    ],
)
def test_a_placeholder_or_a_look_alike_is_no_secret(harmless: Any) -> None:
    assert findings_in(harmless) == []
    assert redact(harmless) == harmless


def test_a_place_does_not_say_a_secret_either() -> None:
    found = findings_in({"Mail to ada@acme.io": {"text": "bob@acme.io"}}, "pinData")

    assert [one.place for one in found] == ['pinData["Mail to [REDACTED:email]"].text']


def test_wires_still_find_their_nodes() -> None:
    workflow = {
        "nodes": [{"name": "Mail ada@acme.io"}],
        "connections": {"Mail ada@acme.io": {"main": [[{"node": "Mail ada@acme.io"}]]}},
    }

    clean = redact(workflow)

    assert clean["nodes"][0]["name"] in clean["connections"]
    assert (
        clean["connections"]["Mail [REDACTED:email]"]["main"][0][0]["node"]
        == (clean["nodes"][0]["name"])
    )


def test_two_keys_that_differ_by_a_secret_stay_two() -> None:
    assert redact({"ada@acme.io": 1, "bob@acme.io": 2}) == {
        "[REDACTED:email]": 1,
        "[REDACTED:email]'": 2,
    }


# Properties

PIECES = st.sampled_from(
    [
        *(secret for _, secret in planted(Random(1)).values()),
        *(text for _, _, text in in_surroundings(Random(1)).values()),
    ]
) | st.text(max_size=5)
TEXTS = st.lists(PIECES, max_size=6).map("".join)
VALUES = st.recursive(
    TEXTS | st.none() | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["password", "value", "name", "a"]) | TEXTS, inner)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_redacting_again_changes_nothing_and_finds_nothing(value: Any) -> None:
    clean = redact(value)

    assert redact(clean) == clean
    assert findings_in(clean) == []


@given(TEXTS)
def test_redacting_touches_nothing_else(text: str) -> None:
    kept = map(re.escape, MARKER.split(redact(text)))

    assert re.fullmatch(".+".join(kept), text, re.DOTALL)


@given(VALUES)
def test_what_is_found_is_what_is_replaced(value: Any) -> None:
    assert (findings_in(value) == []) or (redact(value) != value)
