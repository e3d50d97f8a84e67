"""Commands of mario-ai: votes and players."""
