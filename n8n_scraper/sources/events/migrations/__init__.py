"""One small step per change of the tables, the same for both databases."""
