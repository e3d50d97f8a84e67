"""Generators of the level-generation track, which make a level for a player's record.

Each is a file with a function that draws on a canvas; ``personal`` makes it a generator like the
others, and proves its levels playable.
"""
