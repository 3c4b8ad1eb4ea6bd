"""The names that settings had before; each goes on to work, and says what it is called by now."""

from __future__ import annotations

from collections.abc import Mapping

OLD_NAMES: Mapping[str, str] = {
    "N8N_CONTACT": "CONTACT",
    "N8N_ALLOW_OTHER_SITE": "ALLOW_OTHER_SITE",
    "N8N_TEMPLATES_UNDER_WAY": "ITEMS_UNDER_WAY",
    "N8N_MOST_REMOVED": "MOST_REMOVED",
    "N8N_REDACT": "REDACT",
    "N8N_TRANSCRIPTS": "TRANSCRIPTS",
    "N8N_TRANSCRIPT_LANGUAGES": "TRANSCRIPT_LANGUAGES",
    "N8N_TRANSCRIPT_RATE": "TRANSCRIPT_RATE",
    "N8N_TRANSCRIPT_WAIT": "TRANSCRIPT_WAIT",
    "N8N_TRANSCRIPT_PROXY": "TRANSCRIPT_PROXY",
    "N8N_VIDEO_HOST_URL": "VIDEO_HOST_URL",
    "N8N_DOWNLOAD_IMAGES": "DOWNLOAD_PICTURES",
    "N8N_IMAGES_DIR": "PICTURES_DIR",
    "N8N_PROGRESS": "PROGRESS",
    "N8N_CHECKPOINT_DIR": "CHECKPOINT_DIR",
}
"""What each is called by now."""


def names_of(name: str) -> list[str]:
    """Give all the names of a setting, the one of today first."""
    return [name, *(old for old, new in OLD_NAMES.items() if new == name)]
