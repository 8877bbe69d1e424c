"""Faults to play between a made-up service and an empty warehouse, and the comparison afterwards."""
