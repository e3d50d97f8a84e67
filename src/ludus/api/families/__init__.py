"""What families of benchmarks add to the front door; the table of families names it."""
