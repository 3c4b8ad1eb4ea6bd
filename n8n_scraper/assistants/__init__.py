"""The archive for AI assistants: tools by the Model Context Protocol, over stdio and HTTP.

What stands in the archive was written by strangers: every answer marks it as data, and is bounded
in size with a way to go on. Only `server.py` and what starts it need the `mcp` package.
"""
