"""The commands that only templates have: names, words and options, nothing that takes time."""
