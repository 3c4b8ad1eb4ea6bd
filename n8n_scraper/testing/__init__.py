"""Shipped helpers for tests: a stand-in of the site, a hostile one, a PostgreSQL server."""
