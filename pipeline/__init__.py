"""Mirrors a Business Activities Service into a PostgreSQL warehouse.

Layers, each importing only what stands to its right:
``assets``, ``cli`` -> ``sync`` -> ``service``, ``warehouse``.
"""

#: Of the package. It is raised with every change of the schema (docs/development.md "Change the schema").
__version__ = "1.0.0"
