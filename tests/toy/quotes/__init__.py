"""Quotations of nobody: a list of all, and an answer for each."""
