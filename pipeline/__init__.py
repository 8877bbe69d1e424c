"""Mirrors a Business Activities Service into a PostgreSQL warehouse.

Layers, each importing only what stands to its right:
``assets``, ``cli`` -> ``sync`` -> ``service``, ``warehouse``.
"""
