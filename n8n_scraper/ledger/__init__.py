"""Runs, their items and answers: the queue, and the database below it."""
