"""The players of the worm: simple rules one a file, and trained brains."""
