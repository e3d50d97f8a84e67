"""A game on that console: it only goes to the right."""
