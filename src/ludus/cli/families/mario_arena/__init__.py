"""Commands of mario-arena: training policies."""
