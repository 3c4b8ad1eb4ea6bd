"""Facts that travel inside the package."""
