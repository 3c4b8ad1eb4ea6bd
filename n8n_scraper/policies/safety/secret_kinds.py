"""The kinds of secrets, and how each is known by its form.

The forms come from detect-secrets where it has them; what it lacks stands here in the same way.
Its patterns are made to notice a secret, not to cover it: so what they find is taken to the end of
the word. None of its checks that ask a server is ever used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

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

from n8n_scraper.policies.safety.look_alikes import (
    is_address,
    is_basic,
    is_jwt,
    is_password,
    is_placeholder,
    is_sk_key,
    looks_random,
)

Test = Callable[[str], bool]
# So far from where a form begins its sign stands, at the most.
_LONGEST_LEAD = 65
# Every key whose form is known is a word of this length at least, or a part of one.
_LONG_WORD = 20
_LONG_WORDS = re.compile(rb"[^ ]{%d,}" % _LONG_WORD)
# To split is twice as fast as to search, but all words take many times the room of their text.
_MOST_SPLIT = 1_000_000
_SEPARATORS = bytes.maketrans(b"\t\n\v\f\r\x1c\x1d\x1e\x1f\"'`<>{}", b" " * 16)


def _anything(_value: str) -> bool:
    return True


class Haystack:
    """A text to look in, and what every look needs of it, made once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def small(self) -> str:
        """The text in small letters, each at its place: one letter has two small ones."""
        return self.text.replace("İ", "i").lower()

    @cached_property
    def long_words(self) -> str:
        """Its long words: a small part of it, in which most kinds are looked for."""
        text = self.text.encode("utf-8", "surrogatepass").translate(_SEPARATORS)
        if len(text) > _MOST_SPLIT:
            long = _LONG_WORDS.findall(text)
        else:
            long = [word for word in text.split() if len(word) >= _LONG_WORD]
        return b" ".join(long).decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of secret with the form that it has; the form's first group is the secret itself.

    A form that does not care about the size of letters has its hints and signs in small letters.
    """

    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...] = ()
    """One of these stands in every text that has such a secret, and the form begins with it unless
    there are signs."""
    signs: tuple[re.Pattern[str], ...] = ()
    """One of these does too. Each begins with letters, or with a sign, that a search jumps to."""
    lead: re.Pattern[str] | None = None
    """The form begins with this, and a sign follows at once; none means that it begins anywhere."""
    is_word: bool = False
    """Whether such a secret is a long word, or within one."""
    is_one: Test = _anything
    """What cannot be said by the form."""

    def secrets(self, hay: Haystack) -> Iterator[tuple[int, int]]:
        """Where such secrets begin and end; a placeholder is none."""
        if not self._may_be_in(hay):
            return
        for match in self._matches(hay.text, self._cased(hay)):
            value = match[1]
            if not is_placeholder(value) and self.is_one(value):
                yield match.span(1)

    def _may_be_in(self, hay: Haystack) -> bool:
        """A cheap look for what the form cannot be without."""
        looked_at = hay.long_words if self.is_word else self._cased(hay)
        if self.hints and not any(hint in looked_at for hint in self.hints):
            return False
        return not self.signs or any(sign.search(looked_at) for sign in self.signs)

    def _matches(self, text: str, cased: str) -> Iterator[re.Match[str]]:
        if self.lead:
            return self._at(text, self._behind_leads(self.lead, cased))
        if self.signs:
            return self.pattern.finditer(text)
        return chain.from_iterable(self._at(text, _places(cased, hint)) for hint in self.hints)

    def _at(self, text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
        """The matches that begin at one of these places, none within another."""
        end = 0
        for place in places:
            if place >= end and (match := self.pattern.match(text, place)):
                yield match
                end = match.end()

    def _behind_leads(self, lead: re.Pattern[str], cased: str) -> Iterator[int]:
        for sign in self.signs:
            for found in sign.finditer(cased):
                end = found.start()
                if begun := lead.search(cased, max(0, end - _LONGEST_LEAD), end):
                    yield begun.start()

    def _cased(self, hay: Haystack) -> str:
        return hay.small if self.pattern.flags & re.IGNORECASE else hay.text


def _places(text: str, hint: str) -> Iterator[int]:
    place = text.find(hint)
    while place >= 0:
        yield place
        place = text.find(hint, place + 1)


def _known(
    name: str,
    patterns: Iterable[re.Pattern[str]],
    *hints: str,
    signs: Iterable[str] = (),
    lead: str = "",
    is_word: bool = True,
) -> Kind:
    """A kind of the library's: no part of a longer word, and taken to the word's end."""
    looked_for = tuple(map(re.compile, signs))
    led = re.compile(rf"{lead}\Z") if looked_for else None
    return Kind(name, _to_the_end(patterns), hints, looked_for, led, is_word)


def _to_the_end(patterns: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    forms = "|".join(f"(?:{one.pattern})" for one in patterns)
    forms = re.sub(r"(?<!\\)\((?!\?)", "(?:", forms)  # its groups are of no use to us
    return re.compile(rf"(?<!\w)((?:{forms})[\w-]*)")


def _own(name: str, form: str, *hints: str, is_one: Test = _anything) -> Kind:
    """A kind of ours, a word that begins with a hint."""
    return Kind(name, re.compile(form), hints, is_word=True, is_one=is_one)


def _said(name: str, form: str, hint: str, is_one: Test) -> Kind:
    """A word that another one before it makes a secret, in letters of any size."""
    return Kind(name, re.compile(form, re.IGNORECASE), (hint,), is_one=is_one)


def _anywhere(
    name: str,
    form: str,
    *signs: str,
    hints: tuple[str, ...] = (),
    is_one: Test = _anything,
    flags: int = re.IGNORECASE,
) -> Kind:
    """A kind of ours that a sign stands somewhere in."""
    looked_for = tuple(map(re.compile, signs))
    return Kind(name, re.compile(form, flags), hints, looked_for, is_one=is_one)


_AWS_ID = AWSKeyDetector.denylist[0]
_SLACK_TOKEN, _SLACK_WEBHOOK = SlackDetector.denylist
_FORTY = r"[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"
_QUOTE = r"[\"'`\\]{0,2}"
_GIVEN = rf"{_QUOTE}\s*(?:=>|:=|[:=])\s*{_QUOTE}"
# From the end of a scheme to that of a user, whose password follows.
_USER = r"://[^\s/:@?#\"'`<>{}\[\]$\\]{0,64}:"
_SHORTEST_KEY = 12
_JOINTS = ("", "-", "_", " ")
# What a name begins with that ends so, with or without something between the two.
_KEY_NAMES = {
    "key": "api|secret|access",
    "secret": "client|app|api",
    "token": "access|auth|api|refresh|bot",
}


def _named(kind: str, names: str, *ends: str, lead: str = "") -> Kind:
    """A word that looks random, given to one of these names, which end so."""
    key = rf"[\w.~+/-]{{{_SHORTEST_KEY},}}"
    form = rf"(?:{names}){_GIVEN}({key}={{0,2}})(?![\w(\[])"
    return Kind(
        kind,
        re.compile(form, re.IGNORECASE),
        signs=tuple(re.compile(f"{end}(?={_GIVEN}{key})") for end in ends),
        lead=re.compile(rf"{lead}\Z"),
        is_one=looks_random,
    )


# Where two of them claim the same text, the earlier one has it.
KINDS: tuple[Kind, ...] = (
    Kind(
        "private key",
        re.compile(
            r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
            r"(?:\\[nr]|[\sA-Za-z0-9+/=:,.]|-(?!----)){40,}"
            r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?)"
        ),
        ("-----BEGIN",),
    ),
    _known("Slack webhook", [_SLACK_WEBHOOK], "https://hooks.slack.com"),
    _anywhere(
        "Discord webhook",
        r"(https://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{15,21}/[\w-]{50,})",
        r"/webhooks/\d{15}",
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
    _known("GitHub token", GitHubTokenDetector.denylist, signs=[r"gh[pousr]_"]),
    _known(
        "GitLab token",
        GitLabTokenDetector.denylist,
        signs=["gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-", "GR1348941"],
    ),
    _known("Slack token", [_SLACK_TOKEN], "xox", is_word=False),  # however short
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
        r":(?<=\d{8}:)[\w-]{35}",
        flags=0,
    ),
    _own("Twilio key", r"(?<!\w)((?:SK|AC)[0-9a-f]{32})(?!\w)", "SK", "AC"),
    _known("AWS key id", [_AWS_ID], signs=["A(?:3T|BIA|CCA|KIA|SIA)[0-9A-Z]{13}"]),
    _anywhere(
        "AWS secret key",
        r"(?:aws|secret)[\w .-]{0,30}" + _GIVEN + f"({_FORTY})",
        *(rf"{name}[\w .-]{{0,30}}{_GIVEN}[\w/+]{{40}}" for name in ("aws", "secret")),
        hints=("aws", "secret"),
        is_one=looks_random,
    ),
    _known(
        "Discord bot token",
        DiscordBotTokenDetector.denylist,
        signs=[r"\.(?=[\w-]{6}\.[\w-]{27})"],
        lead=r"\b[MNO][\w-]{23,25}",
    ),
    _known("Mailchimp key", MailchimpDetector.denylist, signs=[r"-us(?=\d)"], lead=r"\b\w{32}"),
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
        rf"\b[a-z][a-z0-9+.-]{{1,20}}{_USER}([^\s/@\"'`<>{{}}\[\]$\\]{{3,128}})@(?=[\w.-])",
        rf"{_USER}[^\s/@]{{3,128}}@",
        is_one=is_password,
    ),
    _said("bearer token", r"\bbearer\s+([\w.~+/-]{20,}={0,2})", "bearer", looks_random),
    # Prose speaks of tokens as well, so nothing but letters and digits may follow.
    _said("bearer token", r"\btoken\s+([A-Za-z0-9]{20,})(?![\w/-])", "token", looks_random),
    _said(
        "basic authorization",
        r"\bbasic\s+([A-Za-z0-9+/]{12,}={0,2})(?![\w+/=])",
        "basic",
        is_basic,
    ),
    _named(
        "API key",
        "|".join(f"(?:{first})[-_ ]?{end}" for end, first in _KEY_NAMES.items()),
        *_KEY_NAMES,
        lead=rf"(?:{'|'.join(_KEY_NAMES.values())})[-_ ]?",
    ),
    # Within a longer name these say little: a page token opens nothing.
    _named("API key", r"(?<![\w-])(?:token|secret)", "token", "secret"),
    _named("password", "pass[-_ ]?(?:word|wd)", "pass[-_ ]?wo?r?d"),
    Kind(
        "email",
        re.compile(
            r"(?<![\w.%+-])([a-z0-9][\w.%+-]{0,63}@(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}[a-z]{2,18})"
            r"(?![\w@])",
            re.IGNORECASE,
        ),
        signs=(re.compile(r"@(?=\w[\w.-]*\.\w\w)"),),
        lead=re.compile(r"[\w.%+-]+\Z"),
        is_one=is_address,
    ),
)  # fmt: skip

# Under such a name, a word that looks random is a secret whatever its form.
_SECRET_NAME = re.compile(
    r"(?:.*(?:apikey|apitoken|accesstoken|authtoken|refreshtoken|bottoken|secretkey|accesskey"
    r"|clientsecret|appsecret|apisecret|signingsecret|webhooksecret|authkey|password|passwd)"
    r"|secret|token|authorization|xauth|passphrase)"
)
_NO_LETTERS = re.compile(r"[^a-z]+")
_WORD = re.compile(r"[\w.~+/!@#$%^&*-]{6,}={0,2}")


# A name says at its end what it is; whole, long ones would fill the memory of judged ones.
_LONGEST_NAME = 200


def is_secret_name(name: str) -> bool:
    """Whether a word that looks random is a secret under this name."""
    return _secret_name(name[-_LONGEST_NAME:]) is not None


def kind_by_name(name: str, value: str) -> str | None:
    """The kind of secret that a whole value is because of the name under which it stands."""
    plain = _secret_name(name[-_LONGEST_NAME:])
    if not plain or not _WORD.fullmatch(value) or not looks_random(value) or is_placeholder(value):
        return None
    if "secret" in plain and re.fullmatch(_FORTY, value):
        return "AWS secret key"
    if "pass" in plain:
        return "password"
    return "API key" if len(value) >= _SHORTEST_KEY else None


@lru_cache(maxsize=4096)
def _secret_name(name: str) -> str | None:
    """The letters of a name under which a secret stands; none of any other."""
    plain = _NO_LETTERS.sub("", name.lower())
    return plain if _SECRET_NAME.fullmatch(plain) else None
