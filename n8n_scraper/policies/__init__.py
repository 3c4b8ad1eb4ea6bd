"""Pure decisions that pace and protect a site: a clock value comes in, an answer goes out."""
