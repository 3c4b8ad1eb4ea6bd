"""Read whether pictures are fetched, and where to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.typed_settings import Given, TypedSettings, switch, text
from n8n_scraper.media.picture_files import can_look, check_folder


@dataclass(frozen=True, slots=True)
class PictureSettings(TypedSettings):
    """What is done about pictures."""

    wanted: bool
    folder: str

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `DOWNLOAD_PICTURES` and `PICTURES_DIR`."""
        folder = in_project(text(settings, "PICTURES_DIR"))
        return cls(switch(settings, "DOWNLOAD_PICTURES"), folder)

    def check(self) -> None:
        """Refuse to fetch pictures that could neither be measured nor stored."""
        if not self.wanted:
            return
        if not can_look():
            raise BadInput(
                "DOWNLOAD_PICTURES needs Pillow, which is not installed: "
                "write pip install -r requirements-images.txt, or leave the pictures out."
            )
        try:
            check_folder(self.folder)
        except OSError as error:
            raise BadInput(
                f"PICTURES_DIR is {self.folder!r}, where nothing can be written: "
                f"{error.strerror}. Name a folder that can be written to."
            ) from None
