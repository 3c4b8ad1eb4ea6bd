"""The commands that `scrapy` gains here: names, words and options, nothing that takes time.

Scrapy imports every module of this folder for every `scrapy …`. What a command does stands under
the same name in `n8n_scraper/commands/` and is imported when the command runs. The sources have
such folders for the commands that only they have: `sources/<name>/commands/`.
"""

import sys
from types import TracebackType

from n8n_scraper.sources import command_folders

__path__ = [*__path__, *command_folders()]


def _quietly(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    """Let Ctrl-C end a command without a traceback; Python then ends with the signal (130)."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, where)


# Somebody else's hook stays; a crawl that has begun handles the signal itself.
if sys.excepthook is sys.__excepthook__:
    sys.excepthook = _quietly
