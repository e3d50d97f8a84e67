"""The platformer's pixel art, drawn in code, and where each frame of it goes."""
