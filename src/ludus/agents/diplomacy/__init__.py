"""Players of Diplomacy that are language models."""
