"""The games: their rules, levels, pictures and Gymnasium environments."""
