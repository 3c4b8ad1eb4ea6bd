"""Which browser session visits which page, and when another one may be opened."""
