"""Forges secrets that open nothing: each has the form of its kind and letters drawn at random.

They are put together from pieces, so that no search for secrets ever stops at this file.
"""

import base64
import json
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

_LETTERS = ascii_letters + digits
_HEX = "0123456789abcdef"
_KEY_LINES = 12


def letters(rng: Random, count: int) -> str:
    """Draw a word that looks like a key: a digit and both sizes of letters are always in it."""
    return "q7Z" + _of(rng, _LETTERS, count - 3)


def aws_pair(rng: Random) -> tuple[str, str]:
    """Forge the id of an AWS key, and the key itself."""
    return "AKIA" + _of(rng, ascii_uppercase + digits, 16), letters(rng, 40)


def airtable_token(rng: Random) -> str:
    """Forge a personal token of Airtable."""
    return f"pat{letters(rng, 14)}.{_of(rng, _HEX, 64)}"


def anthropic_key(rng: Random) -> str:
    """Forge a key of Anthropic."""
    return f"sk-ant-api03-{letters(rng, 93)}AA"


def basic_pair(rng: Random) -> str:
    """Forge user and password the way a header has them."""
    return base64.b64encode(f"shop:{letters(rng, 14)}".encode()).decode()


def discord_webhook(rng: Random) -> str:
    """Forge the address of a Discord channel."""
    return f"https://discord.com/api/webhooks/{_of(rng, '123456789', 18)}/{letters(rng, 68)}"


def email_address(rng: Random) -> str:
    """Invent an address under a top-level domain that does not exist."""
    return f"{_of(rng, ascii_lowercase, 6)}.reed@{_of(rng, ascii_lowercase, 8)}.lanternpost"


def github_token(rng: Random) -> str:
    """Forge a classic token of GitHub."""
    return "ghp_" + letters(rng, 36)


def gitlab_token(rng: Random) -> str:
    """Forge a personal token of GitLab."""
    return "glpat-" + letters(rng, 20)


def google_key(rng: Random) -> str:
    """Forge an API key of Google."""
    return "AIza" + letters(rng, 35)


def hugging_face_token(rng: Random) -> str:
    """Forge a token of Hugging Face."""
    return "hf_" + letters(rng, 34)


def jwt(rng: Random) -> str:
    """Forge a signed statement about nobody."""
    claims = _jwt_part(sub=_of(rng, digits, 9), exp=1_900_000_000)
    return f"{_jwt_part(alg='HS256', typ='JWT')}.{claims}.{letters(rng, 43)}"


def notion_token(rng: Random) -> str:
    """Forge a token of Notion."""
    return "ntn_" + letters(rng, 46)


def openai_key(rng: Random) -> str:
    """Forge a project's key of OpenAI."""
    return f"sk-proj-{letters(rng, 74)}T3BlbkFJ{letters(rng, 74)}"


def private_key(rng: Random) -> str:
    """Forge the frame of a private key, with letters in it that are none."""
    begin, end = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return "\n".join([begin, *(letters(rng, 64) for _ in range(_KEY_LINES)), end])


def sendgrid_key(rng: Random) -> str:
    """Forge a key of SendGrid."""
    return f"SG.{letters(rng, 22)}.{letters(rng, 43)}"


def slack_token(rng: Random) -> str:
    """Forge the token of a Slack bot."""
    return f"xoxb-{_of(rng, digits, 12)}-{_of(rng, digits, 13)}-{letters(rng, 24)}"


def slack_webhook(rng: Random) -> str:
    """Forge the address of a Slack channel."""
    team, channel = (_of(rng, ascii_uppercase, 8) for _ in range(2))
    return f"https://hooks.slack.com/services/T{team}/B{channel}/{letters(rng, 24)}"


def stripe_key(rng: Random) -> str:
    """Forge a live key of Stripe."""
    return "sk_live_51" + letters(rng, 97)


def telegram_token(rng: Random) -> str:
    """Forge the token of a Telegram bot."""
    return f"{_of(rng, '123456789', 10)}:AA{letters(rng, 33)}"


def twilio_key(rng: Random) -> str:
    """Forge a key of Twilio."""
    return "SK" + _of(rng, _HEX, 32)


def _of(rng: Random, alphabet: str, count: int) -> str:
    return "".join(rng.choices(alphabet, k=count))


def _jwt_part(**claims: object) -> str:
    written = json.dumps(claims, separators=(",", ":"))
    return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")
