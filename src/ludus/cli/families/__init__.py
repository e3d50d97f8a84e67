"""What each family of benchmarks adds to the command line; the table of families names it."""
