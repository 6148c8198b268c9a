"""``python -m host``: the same as ``maibot-host``."""

from host.cli import main

main()
