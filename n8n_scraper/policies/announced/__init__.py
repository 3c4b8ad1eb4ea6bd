"""What a page that lists events announces, and what becomes of a doubt about it."""
