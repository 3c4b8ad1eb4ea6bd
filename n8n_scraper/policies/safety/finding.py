"""What is said of a secret that was found; what secrets are, `secrets.py` knows."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from n8n_scraper.core.item import Value


class SecretFinding(Value):
    """That something secret or personal stands at a place; never what it is."""

    kind: str
    place: str
    count: Annotated[int, Field(ge=1)]
