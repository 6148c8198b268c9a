"""The code in the guide does what the guide says."""

import asyncio
import contextlib
import io
import json
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from pathlib import Path

import pytest

from host import Host, Settings
from host.authoring import check_plugins
from host.cli.check import report_lines
from host.runtime import PluginState
from tests.cli.running import LIMIT_S, environment, finished, write_plugin
from tests.docs.guide import LOCALES, MESSAGE, PAGES, Block, Page, chapter

# One example shows the deprecated decorator.
pytestmark = pytest.mark.filterwarnings("ignore:@Action is deprecated:DeprecationWarning")

EACH_LOCALE = pytest.mark.parametrize("locale", LOCALES)
BLOCKS = [(here, block) for here in PAGES for block in here.blocks]


def blocks(
    language: str, kind: str = "", *, plugins: bool = False, locales: Sequence[str] = LOCALES
) -> pytest.MarkDecorator:
    """The blocks of a language and a kind, whole plugins or all others, as parameters of a test."""
    wanted = (language, kind, plugins)
    chosen = [
        (here, block)
        for here, block in BLOCKS
        if (block.language, block.kind, block.is_plugin) == wanted and here.path.parent.name in locales
    ]
    return pytest.mark.parametrize(
        ("here", "block"), [pytest.param(*each, id=f"{each[0].name}:{each[1].line}") for each in chosen]
    )


def before(here: Page, block: Block) -> Block:
    """The Python block that a block of output belongs to."""
    return [each for each in here.blocks if each.language == "python" and each.line < block.line][-1]


def run(code: str) -> str:
    """What a whole program prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "<guide>", "exec"), {"__name__": "guide"})
    return out.getvalue()


def hello(folder: Path, locale: str) -> Path:
    """The folder of plugins that the first chapter makes."""
    manifest, plugin = (
        next(block.code for block in chapter(locale, "first-plugin").blocks if block.language == language)
        for language in ("json", "python")
    )
    return write_plugin(folder / "my_plugins", "you.hello", plugin, **json.loads(manifest))


@blocks("python", plugins=True)
def test_each_plugin_loads_without_an_error_or_a_warning(here: Page, block: Block, tmp_path: Path) -> None:
    (report,) = check_plugins(write_plugin(tmp_path, "a.plugin", block.code))
    assert [finding.text() for finding in report.findings] == []


# The plugins in Chinese are the same code with other words in it.
@blocks("python", plugins=True, locales=("en",))
async def test_each_plugin_becomes_active_and_fails_at_no_message(here: Page, block: Block, tmp_path: Path) -> None:
    write_plugin(tmp_path / "plugins", "a.plugin", block.code)
    settings = Settings(plugin_dirs=(tmp_path / "plugins",), data_dir=tmp_path / "data", bundled_plugins=False)
    async with Host(settings) as host:
        assert host.plugins["a.plugin"].state is PluginState.ACTIVE
        outcome = await host.bot.receive(MESSAGE)
    assert outcome.failures == ()
    assert outcome.ignored == ()


@blocks("python")
def test_all_other_code_runs(here: Page, block: Block) -> None:
    run(block.code)


@blocks("text", "printed")
def test_code_prints_what_the_guide_says(here: Page, block: Block) -> None:
    assert run(before(here, block).code) == block.code


@blocks("text", "check")
def test_the_checker_says_what_the_guide_says(here: Page, block: Block, tmp_path: Path) -> None:
    code = before(here, block).code
    (name,) = re.findall(r"^class (\w+)\(MaiBotPlugin\)", code, re.MULTILINE)
    plugin_id = f"you.{name.removesuffix('Plugin').lower()}"
    if "def create_plugin(" not in code:
        code += f"\ndef create_plugin():\n    return {name}()\n"
    folder = write_plugin(tmp_path, plugin_id, code) / plugin_id
    lines = report_lines(check_plugins(folder), here.path.parent.name)
    assert "\n".join(lines).replace(f"{folder}/", "") + "\n" == block.code


@blocks("python", "old")
def test_the_old_declaration_is_refused_with_the_new_one_named(here: Page, block: Block) -> None:
    with pytest.raises(RuntimeError, match=r"HookMode\.BLOCKING, order=HookOrder\.EARLY"):
        run(block.code)


@blocks("json")
def test_manifests_and_recordings_are_json(here: Page, block: Block, tmp_path: Path) -> None:
    lines = block.code.splitlines()
    values = [json.loads(line) for line in lines] if lines[0].endswith("}") else [json.loads(block.code)]
    assert all(isinstance(value, dict) for value in values)
    if "manifest_version" in values[0]:
        plugin = "class P: ...\ndef create_plugin():\n    return P()\n"
        (report,) = check_plugins(write_plugin(tmp_path, values[0]["id"], plugin, **values[0]))
        assert report.findings == []


@EACH_LOCALE
async def test_the_first_plugin_traces_as_the_guide_shows(locale: str, tmp_path: Path) -> None:
    here = chapter(locale, "testing")
    (command,) = [block.code.split() for block in here.blocks if block.language == "sh"]
    (recording,) = [block.code for block in here.blocks if block.language == "json"]
    (shown,) = [block.code for block in here.blocks if block.kind == "trace"]
    (tmp_path / "chat.jsonl").write_text(recording, encoding="utf-8")
    hello(tmp_path, locale)
    ran = await finished(*command[1:], "--lang", locale, cwd=tmp_path)

    def comparable(text: str) -> tuple[str, list[str]]:
        """Without times; and apart from the rest, in no order, what observers did: they run in the background."""
        text = re.sub(r"  \d+\.\d\d ms", "", text)
        observed = r"^[\w.]+  [0-9a-f]{8}\n└─ (?:observer|观察者) .*\n"
        return re.sub(observed, "", text, flags=re.MULTILINE), sorted(re.findall(observed, text, re.MULTILINE))

    assert comparable(ran.out) == comparable(shown)
    assert len(comparable(shown)[1]) == 3


@EACH_LOCALE
async def test_the_tests_that_the_guide_shows_pass_for_the_first_plugin(locale: str, tmp_path: Path) -> None:
    hello(tmp_path, locale)
    assert await last_line_of_pytest(tmp_path, locale) == "3 passed"


async def test_the_tests_that_the_guide_shows_fail_for_a_plugin_that_does_nothing(tmp_path: Path) -> None:
    write_plugin(tmp_path / "my_plugins", "you.hello", "class P: ...\ndef create_plugin():\n    return P()\n")
    assert await last_line_of_pytest(tmp_path, "en") == "2 failed, 1 passed"


async def last_line_of_pytest(project: Path, locale: str) -> str:
    """What pytest says at the end, without the time, of the tests that the guide shows."""
    (shown,) = [block.code for block in chapter(locale, "testing").blocks if "import pytest" in block.code]
    (project / "tests").mkdir()
    (project / "tests" / "test_hello.py").write_text(shown, encoding="utf-8")
    (project / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        cwd=project,
        env=environment(),
        stdout=PIPE,
        stderr=DEVNULL,
    )
    async with asyncio.timeout(LIMIT_S):
        out, _ = await process.communicate()
    return out.decode().strip().splitlines()[-1].partition(" in ")[0]
