"""Language models behind an OpenAI-compatible endpoint: what is asked, what it costs, the limit."""
