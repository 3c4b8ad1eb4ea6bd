"""Our runs, told to a server elsewhere that keeps such runs: what is said, and how."""
