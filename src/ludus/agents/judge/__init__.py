"""The Punctual Judge: counts an agent's work in units that are the same on every machine."""
