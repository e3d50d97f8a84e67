"""NematodeBench: how well, how directly, how fast and how reliably a simulated worm learns."""
