"""The Mario AI Benchmark: tasks, what agents are shown under them, and the game ``mario-ai``."""
