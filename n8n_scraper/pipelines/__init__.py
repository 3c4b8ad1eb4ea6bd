"""What happens to an item: checked, scored, stored."""
