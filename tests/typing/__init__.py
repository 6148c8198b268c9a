"""What strict type checkers make of plugins."""
