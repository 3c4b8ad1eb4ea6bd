"""The kinds of secrets, and how each is known by its form.

The forms come from detect-secrets where it has them; what it lacks stands here in the same way.
Its patterns are made to notice a secret, not to cover it: so what they find is taken to the end of
the word. None of its checks that ask a server is ever used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector

from n8n_scraper.policies.look_alikes import (
    is_address,
    is_basic,
    is_jwt,
    is_password,
    is_placeholder,
    is_sk_key,
    looks_random,
)

Test = Callable[[str], bool]


def _anything(_value: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of secret with the form that it has; the form's first group is the secret itself."""

    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...] = ()
    """One of these stands in every text that has such a secret; none means: look at any text.
    They are in small letters where the form does not care about the size of letters."""
    begins: bool = False
    """Whether the form begins with a hint, so that only those places need a look."""
    is_one: Test = _anything
    """What cannot be said by the form."""

    def secrets(self, text: str) -> Iterator[tuple[int, int]]:
        """Where such secrets begin and end; a placeholder is none."""
        for match in self._matches(text):
            value = match[1]
            if not is_placeholder(value) and self.is_one(value):
                yield match.span(1)

    def _matches(self, text: str) -> Iterator[re.Match[str]]:
        looked_at = text.lower() if self.pattern.flags & re.IGNORECASE else text
        if self.begins and len(looked_at) == len(text):  # a few letters have two small ones
            return self._from_hints(text, looked_at)
        if self.hints and not any(hint in looked_at for hint in self.hints):
            return iter(())
        return self.pattern.finditer(text)

    def _from_hints(self, text: str, looked_at: str) -> Iterator[re.Match[str]]:
        for hint in self.hints:
            place = looked_at.find(hint)
            while place >= 0:
                match = self.pattern.match(text, place)
                if match:
                    yield match
                place = looked_at.find(hint, match.end() if match else place + 1)


def _known(
    name: str, patterns: Iterable[re.Pattern[str]], *hints: str, begins: bool = True
) -> Kind:
    """A kind of the library's: no part of a longer word, and taken to the word's end."""
    forms = "|".join(f"(?:{one.pattern})" for one in patterns)
    forms = re.sub(r"(?<!\\)\((?!\?)", "(?:", forms)  # its groups are of no use to us
    return Kind(name, re.compile(rf"(?<!\w)((?:{forms})[\w-]*)"), hints, begins)


def _own(name: str, form: str, *hints: str, is_one: Test = _anything, flags: int = 0) -> Kind:
    """A kind of ours whose form begins with a hint."""
    return Kind(name, re.compile(form, flags), hints, begins=True, is_one=is_one)


def _anywhere(
    name: str, form: str, *hints: str, is_one: Test = _anything, flags: int = re.IGNORECASE
) -> Kind:
    """A kind of ours that a hint stands somewhere in."""
    return Kind(name, re.compile(form, flags), hints, is_one=is_one)


_AWS_ID = AWSKeyDetector.denylist[0]
_SLACK_TOKEN, _SLACK_WEBHOOK = SlackDetector.denylist
_FORTY = r"[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"
_QUOTE = r"[\"'`\\]{0,2}"
_GIVEN = rf"{_QUOTE}\s*(?:=>|:=|[:=])\s*{_QUOTE}"
_SHORTEST_KEY = 12
_JOINTS = ("", "-", "_", " ")
_KEY_NAMES = [
    first + joint + second
    for firsts, second in (
        (("api", "secret", "access"), "key"),
        (("client", "app", "api"), "secret"),
        (("access", "auth", "api", "refresh", "bot"), "token"),
    )
    for first in firsts
    for joint in _JOINTS
]
_PASSWORD_NAMES = [f"pass{joint}{end}" for end in ("word", "wd") for joint in _JOINTS]
# Within a longer name they say little: a page token opens nothing.
_WHOLE_NAMES = ("token", "secret")


def _named(kind: str, names: Iterable[str], *, before: str = "") -> Kind:
    """A word that looks random, given to one of these names."""
    form = rf"{before}(?:{'|'.join(names)}){_GIVEN}([\w.~+/-]{{{_SHORTEST_KEY},}}={{0,2}})"
    return _own(kind, rf"{form}(?![\w(\[])", *names, is_one=looks_random, flags=re.IGNORECASE)


# Where two of them claim the same text, the earlier one has it.
KINDS: tuple[Kind, ...] = (
    _own(
        "private key",
        r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:\\[nr]|[\sA-Za-z0-9+/=:,.]|-(?!----)){40,}"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?)",
        "-----BEGIN",
    ),
    _known("Slack webhook", [_SLACK_WEBHOOK], "https://hooks.slack.com"),
    _anywhere(
        "Discord webhook",
        r"(https://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{15,21}/[\w-]{50,})",
        "/webhooks/",
    ),
    _own(
        "JWT",
        r"(?<![\w-])(eyJ[\w-]{8,}={0,2}\.[\w-]{8,}={0,2}(?:\.[\w-]*={0,2})?)",
        "eyJ",
        is_one=is_jwt,
    ),
    _own("Anthropic key", r"(?<![\w-])(sk-ant-[\w-]{20,})", "sk-ant-"),
    _own("OpenRouter key", r"(?<![\w-])(sk-or-[\w-]{20,})", "sk-or-", is_one=is_sk_key),
    # The library knows only keys with the mark of the older ones.
    _own("OpenAI key", r"(?<![\w-])(sk-[\w-]{20,})", "sk-", is_one=is_sk_key),
    _own("GitHub token", r"(?<!\w)(github_pat_\w{22,})", "github_pat_"),
    _known("GitHub token", GitHubTokenDetector.denylist, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _known(
        "GitLab token",
        GitLabTokenDetector.denylist,
        *("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "GR1348941", "glcbt-", "glimt-"),
        *("glptt-", "glagent-", "gloas-"),
    ),
    _known("Slack token", [_SLACK_TOKEN], "xox"),
    _own("Slack token", r"(?<!\w)((?:xapp-\d|xox[a-z](?:\.xox[bp])?)-[\w-]{16,})", "xapp-", "xox"),
    _known("Stripe key", StripeDetector.denylist, "sk_live_", "rk_live_"),
    _own(
        "Stripe key",
        r"(?<!\w)([rs]k_test_\w{24,}|whsec_[\w+/=]{24,})",
        *("sk_test_", "rk_test_", "whsec_"),
    ),
    _own("Google API key", r"(?<![\w/+-])(AIza[\w-]{35})(?![\w-])", "AIza"),
    _own("Google OAuth secret", r"(?<![\w-])(GOCSPX-[\w-]{20,})", "GOCSPX-"),
    _own("Google OAuth token", r"(?<![\w/.-])(ya29\.[\w-]{20,}|1//0[\w-]{30,})", "ya29.", "1//0"),
    _known("SendGrid key", SendGridDetector.denylist, "SG."),
    # In an address it follows the word "bot".
    _anywhere(
        "Telegram bot token",
        rf"(?<!\d)({TelegramBotTokenDetector.denylist[0].pattern})(?![\w-])",
        ":",
        flags=0,
    ),
    _own("Twilio key", r"(?<!\w)((?:SK|AC)[0-9a-f]{32})(?!\w)", "SK", "AC"),
    _known("AWS key id", [_AWS_ID], "A3T", "ABIA", "ACCA", "AKIA", "ASIA"),
    _anywhere(
        "AWS secret key",
        r"(?:aws|secret)[\w .-]{0,30}" + _GIVEN + f"({_FORTY})",
        *("aws", "secret"),
        is_one=looks_random,
    ),
    _known("Discord bot token", DiscordBotTokenDetector.denylist, begins=False),
    _known("Mailchimp key", MailchimpDetector.denylist, "-us", begins=False),
    _known("Square secret", SquareOAuthDetector.denylist, "sq0csp-"),
    _known("PyPI token", PypiTokenDetector.denylist, "pypi-"),
    _known("Azure storage key", AzureStorageKeyDetector.denylist, "AccountKey="),
    _own("npm token", r"(?<!\w)(npm_[A-Za-z0-9]{36})(?!\w)", "npm_"),
    _own("Hugging Face token", r"(?<!\w)(hf_[A-Za-z0-9]{30,})(?!\w)", "hf_"),
    _own("Groq key", r"(?<!\w)(gsk_[A-Za-z0-9]{40,})(?!\w)", "gsk_"),
    _own("Airtable token", r"(?<!\w)(pat[A-Za-z0-9]{14}\.[0-9a-f]{64})(?!\w)", "pat"),
    _own("Notion token", r"(?<!\w)(ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})(?!\w)",
         "ntn_", "secret_"),
    _own("HubSpot token", r"(?<![\w-])(pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
         "pat-"),
    _anywhere(
        "password in a URL",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@?#\"'`<>{}\[\]$\\]{0,64}:"
        r"([^\s/@\"'`<>{}\[\]$\\]{3,128})@(?=[\w.-])",
        "://",
        is_one=is_password,
    ),
    _own(
        "bearer token",
        r"\bbearer\s+([\w.~+/-]{20,}={0,2})",
        "bearer",
        is_one=looks_random,
        flags=re.IGNORECASE,
    ),
    # Prose speaks of tokens as well, so nothing but letters and digits may follow.
    _own(
        "bearer token",
        r"\btoken\s+([A-Za-z0-9]{20,})(?![\w/-])",
        "token",
        is_one=looks_random,
        flags=re.IGNORECASE,
    ),
    _own(
        "basic authorization",
        r"\bbasic\s+([A-Za-z0-9+/]{12,}={0,2})(?![\w+/=])",
        "basic",
        is_one=is_basic,
        flags=re.IGNORECASE,
    ),
    _named("API key", _KEY_NAMES),
    _named("API key", _WHOLE_NAMES, before=r"(?<![\w-])"),
    _named("password", _PASSWORD_NAMES),
    _anywhere(
        "email",
        r"(?<![\w.%+-])([a-z0-9][\w.%+-]{0,63}@(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}[a-z]{2,18})"
        r"(?![\w@])",
        "@",
        is_one=is_address,
    ),
)  # fmt: skip

# Under such a name, a word that looks random is a secret whatever its form.
_SECRET_NAME = re.compile(
    r"(?:.*(?:apikey|apitoken|accesstoken|authtoken|refreshtoken|bottoken|secretkey|accesskey"
    r"|clientsecret|appsecret|apisecret|signingsecret|webhooksecret|authkey|password|passwd)"
    r"|secret|token|authorization|xauth|passphrase)"
)
_WORD = re.compile(r"[\w.~+/!@#$%^&*-]{6,}={0,2}")


def kind_by_name(name: str, value: str) -> str | None:
    """The kind of secret that a whole value is because of the name under which it stands."""
    plain = re.sub(r"[^a-z]", "", name.lower())
    if not _SECRET_NAME.fullmatch(plain) or not _WORD.fullmatch(value) or not looks_random(value):
        return None
    if "secret" in plain and re.fullmatch(_FORTY, value):
        return "AWS secret key"
    if "pass" in plain:
        return "password"
    return "API key" if len(value) >= _SHORTEST_KEY else None
