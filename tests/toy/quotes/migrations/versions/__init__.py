"""The shapes of its table."""
