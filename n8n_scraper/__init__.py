"""Turns n8n.io's public workflow templates into a complete, checked archive."""

__version__ = "0.1.0"
