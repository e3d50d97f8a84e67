"""How players plan with the forward model: searches, the map of a level, and plans from both."""
