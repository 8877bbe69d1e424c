"""The requests to people: their states, and the one process that sends them."""
