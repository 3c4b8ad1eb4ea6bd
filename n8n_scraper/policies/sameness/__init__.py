"""Which announcements are of the same happening, by what evidence, and which of them is kept."""
