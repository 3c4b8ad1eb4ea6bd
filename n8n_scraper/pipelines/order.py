"""The pipelines that an item passes before it is stored, and whether they are all that it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from n8n_scraper.middlewares.drafts import DraftsMiddleware
from n8n_scraper.pipelines.checks import ChecksPipeline
from n8n_scraper.pipelines.contract import ContractPipeline
from n8n_scraper.pipelines.database import DatabasePipeline

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

UNTIL_STORED = (ContractPipeline, ChecksPipeline, DatabasePipeline)
"""In their order, which is that of their positions in `addon.py`."""


def only_ours(settings: BaseSettings) -> bool:
    """Whether only our own components see an item before it is stored.

    Then all that these do can be done ahead, where the item is made; with another pipeline
    between them, each does its part in its place, on what that one has left.
    """
    pipelines = build_component_list(
        settings.get_component_priority_dict_with_base("ITEM_PIPELINES")
    )
    first = tuple(load_object(one) for one in pipelines[: len(UNTIL_STORED)])
    between = settings.getdict("SPIDER_MIDDLEWARES").items()
    others = [one for one, position in between if position is not None]
    return first == UNTIL_STORED and all(load_object(one) is DraftsMiddleware for one in others)
