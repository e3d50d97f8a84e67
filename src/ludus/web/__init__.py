"""The arena in the browser: pages, an API, and a folder of pages for any web host."""
