"""Which things are nearly the same."""
