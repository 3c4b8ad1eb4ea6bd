"""Read models: what people and machines are told, computed once.

Each is a frozen value, computed from a `Database` by a function that knows no crawl, no terminal
and no page; commands and whoever else presents them put them into words.
"""
