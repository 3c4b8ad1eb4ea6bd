"""Find the same archive from every folder of the project, as Scrapy finds the project itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def in_project(path: str) -> str:
    """Take a relative path from where `scrapy.cfg` stands, and from here where there is none."""
    here = Path.cwd()
    folders = (one for one in (here, *here.parents) if (one / "scrapy.cfg").exists())
    project = next(folders, here)
    # Who stands in the project's folder reads the path as it was written.
    return path if project == here or "://" in path else str(project / path)


def place_jobdir(settings: BaseSettings) -> None:
    """Do so with the directory of a crawl, which parts of Scrapy read as well."""
    if path := settings["JOBDIR"]:
        settings.set("JOBDIR", in_project(path), settings.getpriority("JOBDIR") or 0)
