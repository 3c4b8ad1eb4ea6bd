"""Decide by facts what they mean for a crawl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from n8n_scraper.doctor.finding import Finding, State, bad, ok, warn

CLOCK_WARN_SECONDS = 5.0
"""A Date header has whole seconds, and the answer takes its way."""
CLOCK_BAD_SECONDS = 120.0
"""A server's date in Retry-After would mean another moment altogether."""

DISK_BAD_BYTES = 100 * 1024**2
DISK_WARN_BYTES = 1024**3


def of_contact(user_agent: str, *, is_anonymous: bool) -> Finding:
    """Say whether a site learns how to reach whoever crawls it."""
    if is_anonymous:
        remedy = "export CONTACT=you@example.org"
        return warn("contact", "no site learns how to reach you", remedy)
    return ok("contact", f"sites are told {user_agent}")


def of_clock(whose: str, skew_seconds: float) -> Finding:
    """Say how far our clock is from another one; where it is positive, ours is ahead."""
    far, side = abs(skew_seconds), "ahead of" if skew_seconds > 0 else "behind"
    words = f"{far:.0f} s {side} that of {whose}" if far >= 1 else f"as that of {whose}"
    remedy = "set the clock, as by timedatectl set-ntp true"
    if far > CLOCK_BAD_SECONDS:
        return bad("clock", words, remedy)
    return warn("clock", words, remedy) if far > CLOCK_WARN_SECONDS else ok("clock", words)


def of_disk(folder: str, free_bytes: int, database_bytes: int) -> Finding:
    """Say whether there is room; an upgrade of the tables may need as much as they have."""
    words = f"{size(free_bytes)} free at {folder}"
    remedy = "make room, or name a DATABASE_URL elsewhere"
    if free_bytes < DISK_BAD_BYTES:
        return bad("disk", words, remedy)
    if free_bytes < max(DISK_WARN_BYTES, database_bytes):
        return warn("disk", words, remedy)
    return ok("disk", words)


def of_versions(ours: str, others: Mapping[str, str], differing: Mapping[str, str]) -> Finding:
    """Name the versions; those that are not as pinned each with the one that is wanted."""
    words = ", ".join((f"n8n-scraper {ours}", *(f"{name} {one}" for name, one in others.items())))
    if not differing:
        return ok("versions", words)
    other = ", ".join(f"{name} {wanted}" for name, wanted in differing.items())
    remedy = "pip install -r requirements.txt -c constraints.txt"
    return warn("versions", f"{words}; not as pinned: {other}", remedy)


def of_extra(name: str, says: str, packages: Mapping[str, str | None], file: str) -> Finding:
    """Say whether an optional part is installed; one that is not is no illness."""
    lacking = [package for package, version in packages.items() if version is None]
    if lacking:
        return Finding(name, State.OK, f"not installed: {says}", f"pip install -r {file}")
    return ok(name, ", ".join(f"{package} {version}" for package, version in packages.items()))


def of_robots(
    place: str, status: int, forbidden: Sequence[str], delay: float | None, *, obeys: bool
) -> Finding:
    """Say what the site's robots.txt means for the addresses that a crawl asks for."""
    name = "robots"
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
        words = f"{place} answers with status {status}: it is not well, or does not want this"
        return warn(name, words, "try again later; docs/how-to/handle-a-site-that-is-down.md")
    if status != HTTPStatus.OK:
        return ok(name, f"{place} has none (status {status}): everything may be asked")
    if forbidden:
        words = f"{place} forbids {', '.join(forbidden)}"
        if obeys:
            return bad(name, words, "ask the site's owner; ROBOTSTXT_OBEY keeps us out")
        return warn(name, f"{words}, and ROBOTSTXT_OBEY is off")
    asks = f", one request in {delay:g} s" if delay else ""
    return ok(name, f"{place} lets us ask what a crawl asks for{asks}")


def of_soundness(problems: Sequence[str]) -> Finding:
    """Say whether the database found itself sound."""
    if problems:
        remedy = "restore a copy; docs/how-to/operate.md"
        return bad("soundness", f"the database is damaged: {'; '.join(problems)}", remedy)
    return ok("soundness", "the database finds no damage in itself")


def size(number: float) -> str:
    """Say a number of bytes as a person does."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1024 or unit == "GB":
            break
        number /= 1024
    return f"{number:.0f} {unit}" if number >= 10 or unit == "bytes" else f"{number:.1f} {unit}"
