"""Numbers over time, as plugins get them: by hour or day of the local time, told apart by labels."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from typing_extensions import TypedDict

Bucket = Literal["hour", "day"]
BUCKETS: Mapping[str, Bucket] = {
    **dict.fromkeys(("hour", "h", "hours", "1h"), "hour"),
    **dict.fromkeys(("day", "d", "days", "1d"), "day"),
}
"""The words for hours and days."""
_UNFIT = re.compile(r"[^A-Za-z0-9_\u4e00-\u9fff]")


class Series(TypedDict):
    """Numbers over time: for each key as many as there are timestamps, 0.0 where nothing was."""

    timestamps: list[str]
    values_by_key: dict[str, list[float]]
    labels_by_key: dict[str, str]
    total: float
    source_count: int


@dataclass(frozen=True, slots=True)
class Point:
    """A number.

    Args:
        moment: of when it is, in seconds since 1970.
        label: of what.
        value: how much.
    """

    moment: float
    label: str
    value: float


def bucket_start(moment: float, bucket: Bucket) -> datetime:
    """When the hour or day of a moment begins, in local time."""
    hour = datetime.fromtimestamp(moment).replace(minute=0, second=0, microsecond=0)
    return hour if bucket == "hour" else hour.replace(hour=0)


def split(start: float, end: float, bucket: Bucket) -> list[tuple[float, float]]:
    """The hours or days that a time reaches into: a moment of each, and how many seconds of the time are in it."""
    parts = []
    while start < end:
        after = bucket_start(start, bucket) + timedelta(hours=1 if bucket == "hour" else 24)
        border = bucket_start(after.timestamp(), bucket).timestamp()
        border = max(border, start + 1)  # Where clocks are put back, an hour has no later one.
        parts.append((start, min(border, end) - start))
        start = border
    return parts


def series(points: Iterable[Point], bucket: Bucket, top: int, source_count: int, *, total_of: str = "") -> Series:
    """Numbers over time.

    Args:
        points: the numbers; those of one bucket and label are added up.
        bucket: by hours or days.
        top: the labels with the largest sums, as many.
        source_count: how many rows the numbers were made of.
        total_of: the label whose sum is the total; "" for all that are shown.
    """
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    starts: dict[float, str] = {}
    for point in points:
        start = starts.get(point.moment)
        if start is None:
            start = starts[point.moment] = f"{bucket_start(point.moment, bucket):%Y-%m-%d %H:00:00}"
        sums[point.label][start] += point.value
    labels = sorted(sums, key=lambda label: (-sum(sums[label].values()), label))[:top]
    timestamps = sorted({when for label in labels for when in sums[label]})
    keys = _keys(labels)
    return {
        "timestamps": timestamps,
        "values_by_key": {keys[label]: [sums[label].get(when, 0.0) for when in timestamps] for label in labels},
        "labels_by_key": {keys[label]: label for label in labels},
        "total": sum(sum(sums[label].values()) for label in labels if total_of in ("", label)),
        "source_count": source_count,
    }


def _keys(labels: Iterable[str]) -> dict[str, str]:
    """A key for each label, in which nothing but letters, digits and ``_`` stands."""
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for label in labels:
        plain = key = _UNFIT.sub("_", label) or "_"
        number = 1
        while key in taken:
            number += 1
            key = f"{plain}_{number}"
        taken.add(key)
        keys[label] = key
    return keys
