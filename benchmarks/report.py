"""The report: tables and chart as files, with what a reader needs to judge them."""

from datetime import date
from pathlib import Path

from benchmarks.chart import chart
from benchmarks.columns import Column
from benchmarks.harness import Effort
from benchmarks.imports import rounds_of
from benchmarks.share_chart import share_chart
from benchmarks.table import details, summary, verdict

TABLE = "benchmarks.md"
CHART = "benchmarks.svg"
SHARE_CHART = "benchmarks-message.svg"

_REPORT = """\
# Benchmarks

What the hook kernel costs, what importing the SDK costs, what plugins' own processes cost, and what a message costs on
its whole way, measured by `make bench`. Written by the bench; edits are lost.

{stamp}

![What a dispatch costs, as a multiple of the bare loop]({chart})

![What a message's processor time is spent on]({share_chart})

## Against the targets

Plain numbers are multiples of what stands under *Against*; lower is better. *At most* is the target, in brackets the
one for Python 3.12 and newer.

{summary}

{verdict}

## What is measured

- **The dispatch** is `await hooks.invoke(name, payload)` with everything on: payload checks, deadlines, isolation of
  faults, the chain of dispatches, the merge of what handlers return. Each handler is an `async` method with `**kwargs`
  of a plugin of its own. The payload has ten scalar keys, all declared.
- **The bare loop** is `for h in handlers: await h(hook_name=name, **payload)` in a coroutine, over the same handlers;
  it reads nothing of what they return. It builds each handler's arguments anew, while the kernel joins name and payload
  once: with many handlers that outweighs all that the kernel adds, and the number falls below 1. The rows *arguments
  ready* hold the kernel against a loop that is spared this too, `await h(**arguments)`.
- **The 2 KB message** is a session message, declared as a dict: the levels inside are checked to be fit for a payload.
  In the rows *validated in depth* it is declared as the built-in hook `chat.receive.before_process` declares it: every
  level is validated, when it is fired and when a handler returns it. The loop beside it makes one copy for each
  handler, with the fastest copier that plain Python has.
- **Changed** means changed each time: every handler writes a text of its own.
- **Registering** is a plugin with one handler registered anew, as a reload does it: all checks, and the swap in the
  table.
- **The hand-over** is what 100 observers add to the dispatch itself; neither they nor the tasks beside them run within
  the time that is taken.
- **Parked dispatches** wait for their handler; the number is the process's processor time. **Overshot** is the time
  from a deadline until `invoke` has returned.
- **Loading 200 plugins** is from nothing to all active: the folders, manifests and configurations read, the files
  compiled and run, handlers checked, `on_load` awaited. Each has a hook handler and a command. The configuration files
  were written before, and the imports beside it find compiled files; the lines of the log are left out. A plugin
  without a configuration model imports in a fifth of the time, since pydantic has nothing to build.
- **Importing the SDK** is `import maibot_sdk`, a configuration class of three fields and an instance of it, in a fresh
  interpreter that has imported pydantic and built a like model before, with all bytecode cached. The row *declaring a
  small plugin* goes on to a plugin with a command and a hook handler. The published SDK does the same in its turn, in
  the same environment; the number is the share of its processor time.
- **Other hook systems** get the same ten keys and a name, are called as their documentation says, in environments of
  their own, against the same bare loop. Their handlers name all parameters, since `**kwargs` would get nothing. They do
  less: in this kind of call none has deadlines, checks of values, changes that reach the next handler, or an early
  stop. pluggy calls plain functions, so it is spared the coroutines that the bare loop awaits.
- **A call to a runner** goes from a payload in the host to a handler in a plugin's own process and back: encode, send,
  read, the handler, what it returned checked, encoded, sent and read. The payload is one text of that size, and the
  handler returns it. The row *the whole dispatch* is `hooks.invoke` around that call; *the wire alone* sends encoded
  bytes that come back as they are. The targets are for the call: a dispatch is measured above, and what it adds here is
  the same. **The bare echo** beside it is an `asyncio.Protocol` in another process that writes what it reads, over a
  socket pair, with frames of the encoded payload's size. *At once* means so many callers, each with one call under way.
- **MaiBot's runner** is that of the published package, in an environment of its own, on the same tasks through what its
  host offers: a component called by its supervisor beside our call of a handler, and a hook fired by its supervisor
  beside our dispatch, each against the bare echo. The rows *against MaiBot's runner* are the quotient of the two.
- **A process until ready** is from `load` to a plugin that is active, on_load included, while another plugin runs.
  *50 processes and their parent* is `load_all` from nothing: the warm parent that they are forked from is started
  within that time; *the parent warm*: it was started before. The fresh Python beside it imports what plugins import
  from the SDK, and ends.
- **Memory** is the share-corrected size (PSS) of the host and all its descendants, per further plugin, from 1 to 21
  small ones; in units of 2**20 bytes.
- **Three bad plugins**: a handler that spins and one in `time.sleep`, both past their deadlines of 100 ms, and one that
  ends its process, whenever there is one; no breaker stands before them. Beside them dispatches to three healthy
  plugins take turns. How late the loop is, is the worst delay of a timer that is set every 2 ms; what other programs on
  the machine take is in it.
- **A message all the way** is received, calls a command that lets it go on, is planned, worded, sent and stored, one
  message at a time; all hooks on that way are fired. Each of the 20 plugins runs in the host's process and has a
  handler on every hook that returns at once; the built-in offline model plans and words. The number is processor time,
  that of the database's thread with it, and not how long a disk takes. **In a chat with 10,000 stored ones** against
  one with 100 when it begins: a model is told the latest 30 either way. **Of a message's time** counts for each chain
  what is in it and in none of the others: storing what is sent is storage, not sending.

## How

Each stretch of about {stretch:g} ms of the subject lies between two stretches of its base, {rounds} times in each of
{processes} processes; a number is the median of the paired ratios. A machine that swings in speed moves both sides
alike, and no number hangs on how one process happens to lie in memory. The garbage collector is on.
For an import, fresh interpreters with the one and the other SDK take turns, {import_rounds} times in each of the
processes. Runners and messages are measured in at most 3 processes, starts and neighbours with an eighth to a third of
the rounds.
Microseconds are those of the fastest stretch, and only good for their order of magnitude.

{details}

The *source* above is a digest of `host` and `maibot_sdk`; a run during which it changes is not published.

`python -m benchmarks --quick` measures with few rounds, `--here` this Python alone and no other systems, and `--strict`
fails when a target is missed.
"""


def stamp(columns: list[Column], source: str, day: date) -> str:
    """Which Pythons, which state of the source, and when."""
    versions = ", ".join(column.version for column in columns if column.version)
    return f"Measured on CPython {versions}, {day.isoformat()}, source {source}."


def write_report(columns: list[Column], effort: Effort, source: str, day: date, folder: Path) -> None:
    """Write the table and the charts.

    Args:
        columns: what was measured.
        effort: how much of it.
        source: the state of host and SDK, from `source_digest`.
        day: when.
        folder: where to; made when it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = _REPORT.format(
        stamp=stamp(columns, source, day),
        chart=CHART,
        share_chart=SHARE_CHART,
        summary=summary(columns),
        verdict="\n".join(f"- {line}" for line in verdict(columns).splitlines()),
        details=details(columns),
        stretch=effort.stretch * 1e3,
        rounds=effort.rounds,
        processes=effort.processes,
        import_rounds=rounds_of(effort),
    )
    (folder / TABLE).write_text(text, encoding="utf-8")
    (folder / CHART).write_text(chart(columns, stamp(columns, source, day)), encoding="utf-8")
    (folder / SHARE_CHART).write_text(share_chart(columns, stamp(columns, source, day)), encoding="utf-8")
