"""The places on the web that are scraped, one folder each."""
