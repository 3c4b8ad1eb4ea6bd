"""What programs send and are sent: each shape is checked and published by the same definition."""
