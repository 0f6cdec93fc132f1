"""Models, matrices and indices compared with each other."""
