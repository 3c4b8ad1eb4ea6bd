"""Pages that renew themselves: a page is looked at once for all who watch it.

What of a page is live stands in blocks of its template whose names begin with `live_`. While
somebody watches, the blocks are made anew every second or two, and those that differ are sent.
"""
