"""Workflows as pictures."""

from n8n_scraper.sources.n8n.drawing.svg import draw

__all__ = ["draw"]
