"""What every game draws with: PNG files, films, and canvases of pixels or of strokes."""
