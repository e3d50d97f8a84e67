"""The Diplomacy benchmark: one seat against six equals, scored as the AI Diplomacy board does."""
