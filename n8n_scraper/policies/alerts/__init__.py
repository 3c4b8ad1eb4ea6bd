"""When something is wrong, and when a person is told."""
