"""Shipped helpers for tests: a stand-in of the site, a clock one can move."""
