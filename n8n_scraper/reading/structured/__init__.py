"""Reads the data that stand in a page for programs, in every form that is in use."""
