"""What is wrong before a crawl finds out: each thing looked at once, and told in one line.

`judging.py` decides by facts what they mean; the others get the facts, and change nothing.
"""
