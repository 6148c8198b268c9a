"""The tables of capabilities have every method of the context, with its signature and what it asks for."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from maibot_sdk import PluginContext
from tests.docs.guide import LOCALES, Page, chapter

NO_CALLS = {"logger", "paths", "plugin_id", "call_capability", "call_host_method"}


def methods_of(owner: object, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every public method of a capability and of those that lie in it, by name."""
    for name in dir(owner):
        value = inspect.getattr_static(owner, name)
        if name.startswith("_"):
            continue
        if inspect.isfunction(value):
            yield f"{prefix}{name}", getattr(owner, name)
        else:
            yield from methods_of(value, f"{prefix}{name}.")


def spelled(name: str, method: Any) -> str:
    """Name and parameters, as a table has them."""
    parameters = inspect.signature(method).parameters.values()
    bare = inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in parameters])
    return f"{name}{bare}"


async def asked_for(context: PluginContext, calls: list[str], method: Any) -> str:
    """The capability that a method asks the host for."""
    required = {
        name: "ACTION" if name == "component_type" else name
        for name, parameter in inspect.signature(method).parameters.items()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    }
    calls.clear()
    await method(**required)
    return calls[0]


def tables(here: Page) -> dict[str, dict[str, str]]:
    """Method to capability, by the attribute of the context."""
    found: dict[str, dict[str, str]] = {}
    for section in here.text.split("\n## ")[1:]:
        attribute = section.splitlines()[0].removeprefix("ctx.")
        rows = Page(here.path, section).rows[2:]
        if rows:
            found[attribute] = {cells[0].strip("`"): cells[1].strip("`") for cells in rows}
    return found


@pytest.mark.parametrize("locale", LOCALES)
async def test_every_method_stands_there_with_its_signature_and_capability(locale: str) -> None:
    calls: list[str] = []

    async def answer(method: str, plugin_id: str, payload: dict[str, Any], **deadline: Any) -> dict[str, Any]:
        calls.append(payload.get("capability", method))
        return {"success": True}

    context = PluginContext("a.plugin", rpc_call=answer)
    expected: dict[str, dict[str, str]] = {}
    for attribute, capability in vars(context).items():
        if not attribute.startswith("_") and attribute not in NO_CALLS:
            expected[attribute] = {
                spelled(name, method): await asked_for(context, calls, method)
                for name, method in methods_of(capability)
            }
    assert tables(chapter(locale, "capabilities")) == expected
