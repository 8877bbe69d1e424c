"""What the pipeline costs, side by side with the physical floor and with what else one would use.

``python -m tests.benchmarks`` measures; docs/benchmarks.md shows what came out.
"""
