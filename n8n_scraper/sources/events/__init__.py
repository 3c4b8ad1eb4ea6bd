"""Events of any site, read from whatever its pages give."""
