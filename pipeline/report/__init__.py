"""The report: one HTML page with charts, that needs nothing but a browser."""

from pipeline.report.page import render

__all__ = ["render"]
