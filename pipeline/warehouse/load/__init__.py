"""The one way to write answers: a batch in one transaction."""
