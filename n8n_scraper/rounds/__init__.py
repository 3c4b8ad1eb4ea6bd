"""A round: many sites are crawled, so many at once, each by a process of its own."""
