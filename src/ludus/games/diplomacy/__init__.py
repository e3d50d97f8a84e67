"""Diplomacy: seven powers on the standard map, with or without messages."""
