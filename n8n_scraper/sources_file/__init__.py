"""The sources file: what is crawled of the web, how often, with what and how well, as TOML."""
