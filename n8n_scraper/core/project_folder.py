"""Find the same archive from every folder of the project, as Scrapy finds the project itself."""

from __future__ import annotations

from pathlib import Path

from scrapy.settings import BaseSettings

_FOLDERS = ("JOBDIR", "PICTURES_DIR", "CHECKPOINT_DIR")


def in_project(path: str) -> str:
    """Take a relative path from where `scrapy.cfg` stands, and from here where there is none."""
    here = Path.cwd()
    folders = (one for one in (here, *here.parents) if (one / "scrapy.cfg").exists())
    project = next(folders, here)
    # Who stands in the project's folder reads the path as it was written.
    return path if project == here or "://" in path else str(project / path)


def place_folders(settings: BaseSettings) -> None:
    """Do so with every folder that a crawl keeps something in."""
    for name in _FOLDERS:
        if path := settings[name]:
            settings.set(name, in_project(path), settings.getpriority(name) or 0)
