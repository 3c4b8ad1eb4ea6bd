"""What belongs to the stack, one module a kind: is it healthy, how to start it, how to get it."""
