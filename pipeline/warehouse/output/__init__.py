"""What leaves the warehouse: exports, and the figures of the report."""
