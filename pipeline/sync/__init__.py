"""The algorithm: which days to walk, what needs details, how a run ends. No Dagster, no SQL text."""
