"""What the stand-ins of all sources share: a server that can be slow, strict, down and wrong."""
