"""States what an answer's bytes prove: empty, undecodable, cut short, or a wall in front of us."""

from __future__ import annotations

import json
import re
import sys
from codecs import lookup
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from xml.parsers import expat

import msgspec

from n8n_scraper.policies.failure.answer_size import has_too_many_parts
from n8n_scraper.policies.failure.challenge import is_challenge

Expects = Literal["json", "html", "page", "xml", "any"]
"""What an answer must be; a `page` is HTML of a site that always writes its `</html>`."""

COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
"""How gzip, zstandard and zip begin; text never does."""

COMPRESSION_OVERHEAD_BYTES = 64
"""By how much a tiny body can be shorter than its own compressed length.

Scrapy decompresses a body but leaves the Content-Length of what came over the wire. A body
that proves itself whole is not doubted for such a small difference.
"""

HEAD_BYTES = 1024

# It only looks whether a value is well formed and builds none of it, in a fraction of the time.
_DECODER = msgspec.json.Decoder(msgspec.Raw)
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_TOO_MANY_DIGITS = b"0" * (sys.int_info.default_max_str_digits + 1)
# Of every so many bytes one is looked at: of too many digits, always several in a row.
_APART = 500
_DIGITS_APART = b"0" * (len(_TOO_MANY_DIGITS) // _APART)

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)

MOST_PARSED_BYTES = 1024 * 1024
"""How much is parsed here, while everything else waits, to find out what is wrong with it.

Of a larger answer both ends are looked at; what else is wrong with it, its reader finds out.
"""

_DEEPEST_XML = 200

# What may follow the place where a parser stopped if the text ended early: nothing, a string
# that is never closed, half an escape, half a literal, half a number.
_ENDS_EARLY = re.compile(
    r"""\s*(?:
        "(?:[^"\\]|\\.)*\\?
      | u[0-9a-fA-F]{0,4}
      | t(?:r(?:u)?)? | f(?:a(?:l(?:s)?)?)? | n(?:u(?:l)?)?
      | -
      | \.
      | [eE][+-]?
    )?""",
    re.VERBOSE | re.DOTALL,
)

_BRACKETS = {b"{": b"}", b"[": b"]"}
_XML_END = re.compile(rb"</[^<>]{1,200}>\s*(?:<!--[^<>]*-->\s*)*\Z")
_END_BYTES = 2048

# Numbers of expat for "the document is not finished": no element found, unclosed token,
# partial character, unclosed CDATA section.
_XML_ENDS_EARLY = frozenset({3, 5, 6, 20})


@dataclass(frozen=True, slots=True)
class BodyFacts:
    """Holds what is wrong with a body; all False means that nothing speaks against it."""

    empty: bool = False
    undecodable: bool = False
    not_json: bool = False
    not_xml: bool = False
    truncated: bool = False
    challenge: bool = False
    too_large: bool = False


def body_facts(body: bytes, headers: Mapping[str, str], *, expects: Expects) -> BodyFacts:
    """Look at a body once and state what is wrong with it, by evidence only.

    `headers` has lower-case names. Evidence that a body is cut short is a Content-Length that
    promises more (unless the body is encoded), JSON or XML that ends inside a value, or a
    character that ends inside its bytes. HTML without `</html>` is evidence only where a `page`
    is expected: many sites never write it. `empty` needs an expectation; with `any`, nothing may
    be the right answer.
    """
    if is_challenge(body, headers):
        return BodyFacts(challenge=True)
    if has_too_many_parts(body, expects):
        return BodyFacts(too_large=True)
    if not body.strip():
        return BodyFacts(empty=expects != "any", truncated=_missing(body, headers) > 0)
    if expects == "json":
        return _json_facts(body, headers)
    if expects == "xml":
        return _xml_facts(body, headers)
    ended = body.rstrip()[-len(b"</html>") :].lower() == b"</html>"
    truncated = _missing(body, headers) > (COMPRESSION_OVERHEAD_BYTES if ended else 0)
    if not truncated and expects != "any" and _is_binary(body, headers):
        return BodyFacts(undecodable=True)
    return BodyFacts(truncated=truncated or (expects == "page" and not ended))


def _json_facts(body: bytes, headers: Mapping[str, str]) -> BodyFacts:
    missing = _missing(body, headers)
    if _is_strict_json(body):
        return BodyFacts(truncated=missing > COMPRESSION_OVERHEAD_BYTES)
    if len(body) > MOST_PARSED_BYTES:
        return _facts_of_ends(body, missing)
    try:  # why it is none, or whether it is some that the strict decoder refuses
        json.loads(body)
    except UnicodeDecodeError as error:
        cut = missing > 0 or _breaks_off(body, error)
        return BodyFacts(truncated=cut, undecodable=not cut)
    except json.JSONDecodeError as error:
        cut = missing > 0 or _json_ends_early(error)
        return BodyFacts(truncated=cut, not_json=not cut)
    except ValueError:  # a number longer than Python agrees to read
        return BodyFacts(not_json=True)
    except RecursionError:  # deep, not wrong: whoever reads it says what is the matter
        return BodyFacts(truncated=missing > 0)
    return BodyFacts(truncated=missing > COMPRESSION_OVERHEAD_BYTES)


def _is_strict_json(body: bytes) -> bool:
    try:
        _DECODER.decode(body)
        body.decode()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return not _has_too_many_digits(body)


def _has_too_many_digits(body: bytes) -> bool:
    """Tell whether a number may be longer than Python agrees to read."""
    may_have = _DIGITS_APART in body[::_APART].translate(_DIGITS)
    return may_have and _TOO_MANY_DIGITS in body.translate(_DIGITS)


def _facts_of_ends(body: bytes, missing: int) -> BodyFacts:
    first, last = body.lstrip()[:1], body.rstrip()[-1:]
    cut = missing > 0 or _BRACKETS.get(first, last) != last
    return BodyFacts(truncated=cut, not_json=not cut and first == b"<")


def _json_ends_early(error: json.JSONDecodeError) -> bool:
    begins_as_json = error.doc.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")
    return begins_as_json and _ENDS_EARLY.fullmatch(error.doc, error.pos) is not None


def _breaks_off(body: bytes, error: UnicodeDecodeError) -> bool:
    """Tell whether the last character, and nothing else, is short of bytes."""
    return error.end == len(body) and body[:1] in (b"{", b"[")


def _xml_facts(body: bytes, headers: Mapping[str, str]) -> BodyFacts:
    missing = _missing(body, headers)
    if "gzip" in headers.get("content-type", ""):  # a packed sitemap is meant to be binary
        return BodyFacts(truncated=missing > 0)
    if _is_binary(body, headers):
        return BodyFacts(truncated=missing > 0, undecodable=not missing)
    ended_early, whole = _xml_ending(body)
    truncated = ended_early or missing > (COMPRESSION_OVERHEAD_BYTES if whole else 0)
    return BodyFacts(truncated=truncated, not_xml=not truncated and not _looks_like_xml(body))


def _xml_ending(body: bytes) -> tuple[bool, bool]:
    """Tell whether the document ends early, and whether it is whole."""
    if not _looks_like_xml(body):
        return False, False
    if len(body) > MOST_PARSED_BYTES:
        whole = _XML_END.search(body[-_END_BYTES:]) is not None
        return not whole, whole
    try:
        _shallow_parser().Parse(body, True)
    except expat.ExpatError as error:
        return error.code in _XML_ENDS_EARLY, False
    except (_TooDeep, LookupError, ValueError):  # the latter two of the codec that it names
        return False, False
    return False, True


class _TooDeep(Exception):
    """An XML document is nested deeper than any real one."""


def _shallow_parser() -> expat.XMLParserType:
    """A parser that gives up on nesting, each level of which costs it memory."""
    parser, depth = expat.ParserCreate(), 0

    def begin(_name: str, _attributes: object) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST_XML:
            raise _TooDeep

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    return parser


def _looks_like_xml(body: bytes) -> bool:
    head = body[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    utf16 = body.startswith((b"\xff\xfe", b"\xfe\xff"))
    return utf16 or (head.startswith(b"<") and not head.startswith((b"<!doctype html", b"<html")))


def _is_binary(body: bytes, headers: Mapping[str, str]) -> bool:
    """Tell whether bytes that should be text are none: compressed, full of NULs, or misdeclared."""
    if body.startswith(COMPRESSED):
        return True
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    charset = _CHARSET.search(headers.get("content-type", ""))
    return b"\0" in body[:HEAD_BYTES] and not (charset and _is_wide(charset[1]))


def _is_wide(charset: str) -> bool:
    try:
        return lookup(charset).name.startswith(("utf-16", "utf-32"))
    except LookupError:
        return False


def _missing(body: bytes, headers: Mapping[str, str]) -> int:
    """Give the bytes that Content-Length promised and the body lacks; 0 if it cannot be told."""
    promised = headers.get("content-length", "").strip()
    encoded = headers.get("content-encoding", "").strip().lower() not in ("", "identity")
    if encoded or "transfer-encoding" in headers or not promised.isdecimal():
        return 0
    return max(0, int(promised[:18]) - len(body))
