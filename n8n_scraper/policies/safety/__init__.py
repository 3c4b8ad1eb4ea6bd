"""What must not get out, and where no request may go."""
