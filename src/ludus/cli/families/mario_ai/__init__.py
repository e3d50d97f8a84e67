"""Commands of mario-ai: training, votes and players."""
