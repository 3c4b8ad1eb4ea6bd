"""How a page is fetched otherwise than by a plain request: by Firecrawl, or with a browser."""
