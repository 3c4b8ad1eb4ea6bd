"""How a run stands and ends, and what goes on with it."""
