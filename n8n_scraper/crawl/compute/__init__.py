"""Does pure work away from the event loop, in a process of its own."""
