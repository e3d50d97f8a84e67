"""How a store of an older Ludus becomes one of this."""
