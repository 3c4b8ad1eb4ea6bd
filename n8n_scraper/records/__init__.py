"""Items of every source in the database, and what is kept of them: answers, history, media."""
