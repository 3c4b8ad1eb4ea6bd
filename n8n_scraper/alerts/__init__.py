"""Look whether something is wrong, and tell a person, by any service that Apprise knows."""
