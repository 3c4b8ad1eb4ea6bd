"""An archive that the version before has made, and what becomes of it."""
