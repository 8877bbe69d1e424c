"""Everything that speaks HTTP to the service. Imports nothing else of `pipeline`."""
