"""When a message to the outside is sent again, and when it is given up."""
