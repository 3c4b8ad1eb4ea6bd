"""Check the settings before anything starts, so that a mistake costs one line and no half crawl."""

from __future__ import annotations

import logging
from pathlib import Path

from scrapy.settings import BaseSettings, default_settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.pacing import read_circuit_limits, read_floor, read_limits
from n8n_scraper.extensions.feeds import check_feeds
from n8n_scraper.ledger.address import parse_url
from n8n_scraper.media.picture_files import can_look, check_folder
from n8n_scraper.media.transcripts.options import read_options
from n8n_scraper.middlewares.categorised_retry import read_rules
from n8n_scraper.policies.safety.redaction import Redaction
from n8n_scraper.sources.n8n.addresses import Addresses

_REDACT = tuple(map(str, Redaction))
_SECONDS = (
    "DATABASE_PATIENCE",
    "RETRY_AFTER_CAP",
    "CIRCUIT_BREAKER_WAIT_LIMIT",
    "DOWNLOAD_TIMEOUT",
    "DOWNLOAD_DELAY",
    "DNS_TIMEOUT",
)
_SWITCHES = ("DOWNLOAD_PICTURES", "ALLOW_OTHER_SITE")
_PROGRESS = ("auto", "bar", "lines", "off")


def check_settings(settings: BaseSettings) -> None:
    """Raise BadInput for the first setting that nobody can work with."""
    Addresses.parse(settings["N8N_SITE_URL"], settings["N8N_API_URL"])
    parse_url(settings["DATABASE_URL"])
    read_limits(settings)
    read_floor(settings)
    read_circuit_limits(settings)
    read_rules(settings)
    read_options(settings)
    check_feeds(settings)
    _whole_number(settings, "ITEMS_UNDER_WAY", least=1)
    for name in ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN", "CONCURRENT_ITEMS"):
        _whole_number(settings, name, least=1)
    for name in _SECONDS:
        _number(settings, name)
    for name in _SWITCHES:
        _switch(settings, name)
    _like_scrapys_own(settings)
    _log_file(settings)
    _pictures(settings)
    _share(settings, "MOST_REMOVED")
    if str(settings["LOG_LEVEL"]).upper() not in logging.getLevelNamesMapping():
        raise BadInput(f"LOG_LEVEL is {settings['LOG_LEVEL']!r}; write DEBUG, INFO or WARNING.")
    _one_of(settings, "REDACT", _REDACT)
    _one_of(settings, "PROGRESS", _PROGRESS)


def _like_scrapys_own(settings: BaseSettings) -> None:
    """Refuse a word in place of a number or a switch of Scrapy's, by the kind of its default."""
    for name, default in vars(default_settings).items():
        if not settings.getpriority(name) or settings[name] is None:
            continue
        if isinstance(default, bool) or name.endswith("_ENABLED"):  # one of these is 1
            _switch(settings, name)
        elif isinstance(default, int | float):
            try:
                settings.getfloat(name)
            except (ValueError, TypeError):
                raise BadInput(f"{name} is {settings[name]!r}; write a number.") from None


def _log_file(settings: BaseSettings) -> None:
    if name := settings["LOG_FILE"]:
        try:
            Path(name).open("a").close()
        except OSError as error:
            raise BadInput(f"LOG_FILE {name} cannot be written: {error.strerror}.") from None


def _one_of(settings: BaseSettings, name: str, words: tuple[str, ...]) -> None:
    if settings[name] not in words:
        raise BadInput(f"{name} is {settings[name]!r}; write one of {', '.join(words)}.")


def _pictures(settings: BaseSettings) -> None:
    """Refuse to fetch pictures that could neither be measured nor stored."""
    if not settings.getbool("DOWNLOAD_PICTURES"):
        return
    if not can_look():
        raise BadInput(
            "DOWNLOAD_PICTURES needs Pillow, which is not installed: "
            "write pip install -r requirements-images.txt, or leave the pictures out."
        )
    try:
        check_folder(settings["PICTURES_DIR"])
    except OSError as error:
        raise BadInput(
            f"PICTURES_DIR is {settings['PICTURES_DIR']!r}, where nothing can be written: "
            f"{error.strerror}. Name a folder that can be written to."
        ) from None


def _switch(settings: BaseSettings, name: str) -> None:
    try:
        settings.getbool(name)
    except ValueError:
        raise BadInput(f"{name} is {settings[name]!r}; write True or False.") from None


def _number(settings: BaseSettings, name: str) -> None:
    try:
        fits = 0 <= settings.getfloat(name) < float("inf")
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise BadInput(f"{name} is {settings[name]!r}; write a number of seconds, 0 or more.")


def _share(settings: BaseSettings, name: str) -> None:
    try:
        fits = 0 <= settings.getfloat(name) <= 1
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise BadInput(f"{name} is {settings[name]!r}; write a share from 0 to 1, as in 0.1.")


def _whole_number(settings: BaseSettings, name: str, *, least: int) -> None:
    try:
        fits = settings.getint(name) >= least
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise BadInput(f"{name} is {settings[name]!r}; write a whole number from {least} on.")
