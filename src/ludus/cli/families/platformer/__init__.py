"""Commands of the platformer: levels, the demo, a first agent."""
