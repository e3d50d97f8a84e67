"""Players of guest environments."""
