"""Reads the stored answers anew, and stores what today's readers and checks make of them."""
