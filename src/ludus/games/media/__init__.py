"""What all games share to draw: PNG files, films, palettes and canvases."""
