"""Thin Dagster definitions over ``pipeline.sync``: assets, checks, partitions, schedule, resources."""
