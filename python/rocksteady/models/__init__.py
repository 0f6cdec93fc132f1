"""What is given of each model, and what is counted of it: columns in, one set of statistics for each model out."""
