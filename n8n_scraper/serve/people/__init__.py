"""Where the items of each source are shown."""
