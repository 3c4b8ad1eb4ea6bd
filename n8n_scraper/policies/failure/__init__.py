"""What went wrong, and whether it is asked again."""
