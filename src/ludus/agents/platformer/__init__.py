"""The baseline players of the platformer, one a file."""
