"""Processes that plugins run in, and the wire to them."""
