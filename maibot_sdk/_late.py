"""Names that load when they are first asked for, and which these are.

`import maibot_sdk` runs next to nothing. What it is asked for then brings what belongs to it:

- a configuration class (`PluginConfigBase`): the configuration model. The form builder follows with the first form;
- the base class or a decorator (`MaiBotPlugin`, `Tool`, ...): all decorators and the component models. What checks a
  model is built by the first component of its kind, while the class of the plugin is made;
- a context (`PluginContext`, `SendResult`): all capabilities, and the standard library's logging;
- `LLMProviderBase`: its module.

A host makes the context before `on_load`, so nothing of this is left for the first call of a handler. A process that is
forked for plugins imports `maibot_sdk.components` and `maibot_sdk.context` beforehand.

All names can be had in every way that Python knows: as attribute, by `from ... import`, with `*`, through `dir`. Each
module lists its late names twice, as imports for type checkers and as the map for `late`; a test holds them together.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def late(module: str, homes: Mapping[str, Iterable[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` (PEP 562) of a module some of whose names load late.

    Args:
        module: the name of the module.
        homes: late names by the module that has them. The last word of a home's own name means that module itself.
    """
    namespace = vars(sys.modules[module])
    home_of = {name: home for home, names in homes.items() for name in names}

    def names() -> list[str]:
        return sorted({*namespace, *home_of})

    def load(name: str) -> Any:
        if name == "__all__":  # asked for by `from module import *`, which otherwise takes what is loaded already
            return [each for each in names() if not each.startswith("_")]
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=sys.modules[module])
        home = import_module(home_of[name])
        is_home = home.__name__.rpartition(".")[2] == name
        namespace[name] = value = home if is_home else getattr(home, name)
        return value

    return load, names
