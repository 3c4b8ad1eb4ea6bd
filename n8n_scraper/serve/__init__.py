"""The archive, looked at by HTTP: one process beside the crawls, which it never holds up."""
