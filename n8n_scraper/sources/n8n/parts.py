"""The three answers that a template is made of, in the order in which they are asked for."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """One of the three answers that a template is made of."""

    METADATA = "metadata"
    JSON = "json"
    EXPLAINER = "explainer"
