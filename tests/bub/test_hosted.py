"""The family in a host: loaded from folders, shown in the hook tables, with commands of its own."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from host.app import Host
from host.bub.settings import BubSettings
from host.cli import commands
from host.settings import Settings

PLUGIN = """
from host.bub import hookimpl

@hookimpl(trylast=True)
def resolve_session(message):
    return None

@hookimpl
def run_model(prompt):
    return f"echo {prompt}"

@hookimpl
def provide_lifespan():
    print("started")
    yield
    print("ended")

@hookimpl
def register_cli_commands(app):
    @app.command("greet")
    def greet(name: str):
        print("hello", name)
"""


@pytest.fixture
def plugins(tmp_path: Path) -> Path:
    for name, text in (("echo", PLUGIN), ("broken", "raise RuntimeError('no')")):
        (tmp_path / "plugins" / name).mkdir(parents=True)
        (tmp_path / "plugins" / name / "bub_plugin.py").write_text(text, "utf-8")
    return tmp_path / "plugins"


def settings(plugins: Path, **more: object) -> Settings:
    return Settings(plugin_dirs=(plugins,), data_dir=plugins.parent / "data", bub=BubSettings(installed=False, **more))


async def test_what_plugins_hold_lives_as_long_as_the_host(plugins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with Host(settings(plugins)) as host:
        assert capsys.readouterr().out == "started\n"
        assert host.bub is not None
        assert {name: each.is_success for name, each in host.bub.plugins.statuses.items()} == {
            "broken": False,
            "echo": True,
        }
    assert capsys.readouterr().out == "ended\n"


async def test_switched_off_nothing_is_loaded(plugins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with Host(settings(plugins, enabled=False)) as host:
        assert host.bub is None
    assert capsys.readouterr().out == ""


async def test_a_lifespan_that_fails_leaves_the_bot(plugins: Path, said: list[str]) -> None:
    text = "from host.bub import hookimpl\n@hookimpl\ndef provide_lifespan():\n    raise OSError('port')\n"
    (plugins / "broken" / "bub_plugin.py").write_text(text, "utf-8")
    async with Host(settings(plugins)) as host:
        assert host.bub is not None
        assert host.bub.resources.tape_store is None
    assert any("take no part" in line for line in said)


def run(plugins: Path, *arguments: str) -> str:
    file = plugins.parent / "host.toml"
    file.write_text("[bub]\ninstalled = false\n", "utf-8")
    places = ["--plugins", str(plugins), "--data", str(plugins.parent / "data"), "--config", str(file)]
    result = CliRunner().invoke(commands, [arguments[0], *places, *arguments[1:]], env={"LANG": "C"})
    assert result.exit_code == 0, result.output
    return result.output


def test_the_commands_of_plugins_and_a_turn_alone(plugins: Path) -> None:
    assert "hello you" in run(plugins, "bub", "greet", "you")
    assert "echo hi" in run(plugins, "bub", "run", "hi").splitlines()


def test_the_hook_table_shows_the_run_order(plugins: Path) -> None:
    lines = run(plugins, "hooks").splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("resolve_session"))
    assert lines[place].split() == ["resolve_session", "bail"]
    assert lines[place + 1 : place + 3] == [
        "  1. builtin / resolve_session · normal",
        "  2. echo / resolve_session · late",
    ]
