"""A console that computes with bytes, as the package of this name does; it plays no game."""
