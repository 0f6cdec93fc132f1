"""Two classes and a score: the score table and everything derived from it."""
