"""The pages in a real browser; axe.min.js is axe-core 4.14.0 by Deque Systems, under MPL-2.0."""
