"""What a crawl, and every command, tells the shell by its exit status."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What `scrapy crawl` tells the shell; docs/reference/exit-status.md is this table in words."""

    DONE = 0
    BROKEN = 1  # an error of our own that nothing else explains
    BAD_INPUT = 2
    FAILURES = 3
    WORK_LEFT = 4
    SITE_DOWN = 5
    STORE_LOST = 6
    NO_INVENTORY = 7
    WORKED_ON = 8
    FEED_LOST = 9
    NOT_HEALTHY = 10  # of `scrapy stack` and `scrapy preflight`; no crawl ends with it
