"""Tell a secret from what only looks like one, where its form alone does not."""

from __future__ import annotations

import base64
import binascii
import re

from detect_secrets.plugins.jwt import JwtTokenDetector

# What people and the site write where a secret belongs.
_PLACEHOLDER = re.compile(
    r"your|[<>{}\[\]]|\.\.\.|…|[x*•0]{6}|placeholder|redacted|changeme|insert|dummy|sample[-_]",
    re.IGNORECASE,
)

# In the random letters of a long key any word turns up sooner or later.
_FAR_ENOUGH = 200


def is_placeholder(value: str) -> bool:
    """Whether a text only stands where a secret will stand."""
    return bool(_PLACEHOLDER.search(value, 0, _FAR_ENOUGH))


def is_jwt(value: str) -> bool:
    """Whether its first two parts can be read."""
    return JwtTokenDetector.is_formally_valid(".".join(value.split(".")[:2]))


def looks_random(value: str, different: int = 10) -> bool:
    """Whether a word has the look of a key: letters, digits, and many different ones."""
    return (
        any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and len(set(value)) >= min(different, len(value) // 2)
    )


def is_sk_key(value: str) -> bool:
    """Whether it is no name of a style, such as `sk-fading-circle-2-of-a-spinner`."""
    return bool(re.search(r"[A-Za-z0-9]{12}", value)) and looks_random(value, different=6)


def is_basic(value: str) -> bool:
    """Whether it is a user and a password in base64."""
    try:
        user, colon, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    pair = user + password
    return bool(colon) and bool(password) and pair.isprintable() and not is_placeholder(pair)


_NO_PASSWORDS = frozenset(("password", "passwd", "pass", "pwd", "secret", "token", "key"))


def is_password(value: str) -> bool:
    """Whether it is more than the word for one."""
    return value.lower() not in _NO_PASSWORDS


_PLACEHOLDER_USERS = re.compile(
    r"(?:user|users|username|you|name|email|mail|someone|recipient|sender|example|test|git"
    r"|no-?reply|do-?not-?reply|first\.?(?:name)?\.?last(?:\.?name)?)\d*",
    re.IGNORECASE,
)
# Names of hosts that are nobody's, by agreement or by custom, and ids that only look like mail.
_PLACEHOLDER_HOSTS = re.compile(
    r"(?:.*\.)?(?:(?:example|test|domain|mydomain|company|mycompany|sample|email|website|host)"
    r"\.[a-z.]{2,6}|[^.]*your[^.]*\..*|.*\.(?:example|test|invalid|localhost|local|internal)"
    r"|s\.whatsapp\.net|[cg]\.us|mail\.gmail\.com|(?:.*\.)?prod\.outlook\.com"
    r"|group(?:\.v)?\.calendar\.google\.com|users\.noreply\.github\.com)",
    re.IGNORECASE,
)
_FILES = re.compile(r"(?:png|jpe?g|gif|svg|webp|js|css|ts|json|md|html?|py)", re.IGNORECASE)


def is_address(value: str) -> bool:
    """Whether a mail to it may reach a person."""
    user, _, host = value.rpartition("@")
    return not (
        _PLACEHOLDER_USERS.fullmatch(user)
        or _PLACEHOLDER_HOSTS.fullmatch(host)
        or _FILES.fullmatch(host.rpartition(".")[2])
    )
