"""Read models: what people and machines are told, computed once."""
