"""Say how to install what only assistants need."""

from __future__ import annotations

from importlib.util import find_spec

INSTALL = "pip install -r requirements-assistants.txt"


def missing() -> str | None:
    """Say in one line what is not installed and how to get it; None where all is there."""
    return None if find_spec("mcp") else f"mcp is not installed: {INSTALL}"
