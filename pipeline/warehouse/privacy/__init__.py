"""Erasing, pruning, and all that is held of one person."""
