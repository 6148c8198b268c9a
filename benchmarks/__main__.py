"""``python -m benchmarks``: measure, print the table, write the report."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.columns import everywhere, here, tally
from benchmarks.harness import FULL, QUICK
from benchmarks.measure import ROOT, source_digest
from benchmarks.report import stamp, write_report
from benchmarks.table import summary, verdict


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench.

    Returns:
        The exit status: 1 when something crashed, when the kernel was changed meanwhile, so that the figures are of no
        one state of it, or, with ``--strict``, when a target was missed.
    """
    options = _options(arguments)
    effort = QUICK if options.quick else FULL
    source = source_digest()
    columns = here(effort) if options.here else list(everywhere(effort))
    day = datetime.now(UTC).date()
    print(f"{stamp(columns, source, day)}\n\n{summary(columns)}\n\n{verdict(columns)}")
    if source_digest() != source:
        print("The source changed while it was measured. Nothing is written; measure again.", file=sys.stderr)
        return 1
    folder: Path | None = options.out
    if folder is None and not (options.quick or options.here):
        folder = ROOT / "docs"
    if folder is not None:
        write_report(columns, effort, source, day, folder)
    _, missed = tally(columns)
    return int(any(column.crashed for column in columns) or (options.strict and missed > 0))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what hooks and messages cost.")
    parser.add_argument("--quick", action="store_true", help="few rounds: rough numbers, in a few seconds a Python")
    parser.add_argument("--here", action="store_true", help="this Python alone, no other systems; installs nothing")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write the report there; a full run writes it to docs by itself"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
