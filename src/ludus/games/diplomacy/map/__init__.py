"""The standard map of Diplomacy: its geography, its names, its outlines, its pictures."""
