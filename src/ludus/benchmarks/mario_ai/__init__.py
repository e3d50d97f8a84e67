"""The Mario AI Benchmark of Karakovskiy and Togelius: its scores and its tracks."""
