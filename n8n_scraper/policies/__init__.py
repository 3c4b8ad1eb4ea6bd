"""Pure decisions, by theme: a clock value comes in, an answer goes out."""
