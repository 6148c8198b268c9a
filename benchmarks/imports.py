"""What importing the SDK costs above importing pydantic, in fresh interpreters, the published package beside ours.

Each interpreter imports pydantic and builds a small model first. What counts is the processor time from there until the
same is done through the SDK, all bytecode cached: two whole interpreters differ by more than that from run to run. The
model is built a second time then, which is charged to both. Plain standard library: this runs in the environment of the
published package, and so do the scripts. Ours comes from this tree, before what is installed.
"""

import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path

from benchmarks.harness import Effort, Samples

_TREE = str(Path(__file__).parents[1])

_MODEL = """
class Config(Base):
    config_version: str = Field(default="1.0.0", description="version")
    greeting: str = Field(default="Hello", description="what is said")
    times: int = Field(default=1, ge=1, description="how often")
Config()
"""
_PYDANTIC = f"from pydantic import BaseModel as Base, Field{_MODEL}"
_SDK_AND_MODEL = f"import maibot_sdk\nBase, Field = maibot_sdk.PluginConfigBase, maibot_sdk.Field{_MODEL}"
_SMALL_PLUGIN = f"""{_SDK_AND_MODEL}
from maibot_sdk import Command, HookHandler, MaiBotPlugin
class Greeter(MaiBotPlugin):
    config_model = Config
    @Command("greet", pattern="^/greet$")
    async def greet(self, **kwargs): ...
    @HookHandler("chat.receive.before_process")
    async def watch(self, **kwargs): ...
Greeter()
"""


def rounds_of(effort: Effort) -> int:
    """How often the two take turns in a process: less often than others, since once takes some tenths of a second."""
    return max(1, effort.rounds // 3)


async def imported(script: str, effort: Effort) -> Samples:
    """What `script` costs with ours, as a multiple of what it costs with the published package; the two take turns."""
    for path in ((_TREE,), ()):
        _seconds(script, *path)  # writes the bytecode
    ours, published = [], []
    for _ in range(rounds_of(effort)):
        ours.append(_seconds(script, _TREE))
        published.append(_seconds(script))
    ratios = [one / other for one, other in zip(ours, published, strict=True)]
    return Samples(values=ratios, micros=min(ours) * 1e6, base_micros=min(published) * 1e6)


def _seconds(script: str, *path: str) -> float:
    """Processor time of `script` in a fresh interpreter with pydantic, which looks for modules in `path` first."""
    timed = f"begun = time.process_time()\n{script}\nprint(time.process_time() - begun)"
    whole = f"import sys, time\nsys.path[:0] = sys.argv[1:]\n{_PYDANTIC}\n{timed}"
    # Isolated: no variable of the environment keeps it from caching bytecode, and no folder joins the path.
    command = [sys.executable, "-I", "-c", whole, *path]
    return float(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


IMPORTS: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "import": partial(imported, _SDK_AND_MODEL),
    "import-plugin": partial(imported, _SMALL_PLUGIN),
}
"""How each case is measured."""
