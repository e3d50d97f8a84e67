"""The benchmark mario-arena: 32 levels and the whole game, under a protocol with chance in it."""
