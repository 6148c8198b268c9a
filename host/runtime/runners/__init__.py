"""Runners: the processes that third-party plugins run in, how they are made, talked to and ended."""
