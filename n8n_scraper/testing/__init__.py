"""Shipped helpers for tests: a stand-in of the site, a hostile one, PostgreSQL, a movable clock."""
