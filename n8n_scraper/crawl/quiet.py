"""Keep out of a normal log what says nothing to its reader; LOG_LEVEL=DEBUG shows it all."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from scrapy.settings import BaseSettings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import Given, TypedSettings, refuse, text
from n8n_scraper.policies.failure.category import classify, speaks_of_health


@dataclass(frozen=True, slots=True)
class LogSettings(TypedSettings):
    """How much is logged, and where to."""

    level: str
    file: str

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `LOG_LEVEL` and `LOG_FILE`."""
        level = text(settings, "LOG_LEVEL").upper()
        if level not in logging.getLevelNamesMapping():
            refuse(settings, "LOG_LEVEL", "DEBUG, INFO or WARNING")
        return cls(level, text(settings, "LOG_FILE"))

    def check(self) -> None:
        """Refuse a file that cannot be written."""
        try:
            if self.file:
                Path(self.file).open("a").close()
        except OSError as error:
            raise BadInput(f"LOG_FILE {self.file} cannot be written: {error.strerror}.") from None


def hush(settings: BaseSettings) -> None:
    """Leave out sixty lines of component lists, and the way that a network error has taken."""
    wanted = LogSettings.from_settings(settings).level
    level = logging.NOTSET if wanted == "DEBUG" else logging.WARNING
    for name in ("scrapy.addons", "scrapy.middleware", "alembic"):
        logging.getLogger(name).setLevel(level)
    if level:
        # A record that is thrown away costs as much as one that is written.
        logging.getLogger("scrapy").setLevel(wanted)
        # This one also says that a signal was received, and what a second one does.
        logging.getLogger("scrapy.crawler").addFilter(_is_no_list_of_settings)
        for name in ("downloadermiddlewares.robotstxt", "core.scraper"):
            logging.getLogger(f"scrapy.{name}").addFilter(tell_an_ill_site_in_one_line)


def _is_no_list_of_settings(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("Overridden settings")


def tell_an_ill_site_in_one_line(record: logging.LogRecord) -> bool:
    """Take the traceback off a record of what a site did, and let the error's words speak."""
    error = record.exc_info[1] if record.exc_info else None
    category = classify(exception=error) if error is not None else None
    if category and (speaks_of_health(category) or category.traits.is_told_in_words):
        record.exc_info = None
        told = record.getMessage()
        if category.traits.is_told_in_words and str(error) not in told:
            record.msg, record.args = "%s: %s", (told, error)
    return True
