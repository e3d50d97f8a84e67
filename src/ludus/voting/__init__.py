"""Votes of visitors: what each is shown, how far each has come, and what counts.

- ``sittings``: a visitor's way through a track, signed, step by step
- ``clips``: recorded play of people and agents, and the pairs that a visitor judges
- ``level_pairs``: the levels that two generators make for a visitor
- ``counting``: the votes of a store, as the scoring functions take them
"""
