"""Commands of Diplomacy."""
