"""The browser sessions of a crawl: who gives them, and which request has which."""
