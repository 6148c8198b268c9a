"""``python -m host``: the same as ``maibot-host``."""

from host.entry import main

main()
