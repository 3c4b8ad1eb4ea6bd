"""Pictures, and what videos say."""
