"""Settings from the file and the environment: what counts, where it comes from, and what is wrong."""

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from host.cli import commands
from host.settings import Settings, SettingsError
from host.settings.descriptions import CHINESE
from host.settings.page import starting_file

KEY = "sk-a-very-secret-key"


def maibot_host(*arguments: str, **environ: str) -> Result:
    """The program with these variables beside those that there are."""
    return CliRunner().invoke(commands, arguments, env={"LANGUAGE": "en", **environ})


def wrong(text: str, tmp_path: Path, **environ: str) -> str:
    """What is said of a file with this text."""
    file = tmp_path / "host.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        Settings.load(file, environ)
    return caught.value.text().replace(str(tmp_path), "")


def test_the_environment_goes_before_the_file_and_the_file_before_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    file.write_text('[bot]\nnickname = "Nora"\naccount_id = "1"\n[web]\nport = 1\n', encoding="utf-8")
    settings = Settings.load(
        file,
        {
            "MAIBOT_HOST__BOT__ACCOUNT_ID": "42",
            "MAIBOT_HOST__WEB__PORT": "9",
            "MAIBOT_HOST__WEB__ALLOWED_HOSTS": '["a.example", "b.example"]',
            "MAIBOT_HOST__HOOKS__BREAKER__ENABLED": "false",
            "MAIBOT_HOST__RUNNERS__GRACE_SECONDS": "2.5",
            "MAIBOT_HOST": "of another program",
        },
    )
    assert (settings.bot.nickname, settings.bot.account_id) == ("Nora", "42")
    assert (settings.web.port, settings.web.allowed_hosts) == (9, ("a.example", "b.example"))
    assert settings.hooks.breaker.enabled is False
    assert settings.runners.grace_seconds == 2.5


def test_all_problems_are_told_at_once_each_with_its_line_or_its_variable(tmp_path: Path) -> None:
    text = '# mine\n[bot]\nnicknam = "Nora"\n\n[web]\nport = "x"\n[hooks]\nstrict_mode = true\n[nothing.like]\nit = 1\n'
    said = wrong(text, tmp_path, MAIBOT_HOST__SPLITTING__MAX_PIECES="0", MAIBOT_HOST__BTO__NICKNAME="Nora")
    assert sorted(line.strip(" -") for line in said.splitlines()[1:]) == sorted(
        [
            "environment variable MAIBOT_HOST__BTO__NICKNAME: bto is no setting. Did you mean bot?",
            "/host.toml:3: bot.nicknam is no setting. Did you mean bot.nickname?",
            '/host.toml:6: web.port is "x"; allowed is a whole number.',
            "/host.toml:8: hooks.strict_mode is no setting. Did you mean hooks.strict_modes?",
            'environment variable MAIBOT_HOST__SPLITTING__MAX_PIECES: splitting.max_pieces is "0"; '
            "allowed is a number of at least 1.",
            "/host.toml:9: nothing is no setting. Remove it, or see what there is: maibot-host config show",
        ]
    )


def test_members_of_lists_of_tables_and_inline_tables_are_found_by_line(tmp_path: Path) -> None:
    text = (
        '[[models.providers]]\nname = "a"\n[[models.providers]]\nname = "b"\nretrys = 1\n'
        "[models.tasks]\nreplyer = { temprature = 1 }\n"
    )
    said = wrong(text, tmp_path)
    assert "/host.toml:5: models.providers[1].retrys is no setting. Did you mean models.providers[1].retries?" in said
    assert "/host.toml:7: models.tasks.replyer.temprature is no setting. " in said
    assert "Did you mean models.tasks.replyer.temperature?" in said


@pytest.mark.parametrize(
    "line", [f'api_kye = "{KEY}"', f'retries = "{KEY}"', f'headers = ["{KEY}"]', f'"x" = {{ a = "{KEY}" }}']
)
def test_nothing_that_may_be_a_key_is_told(line: str, tmp_path: Path) -> None:
    said = wrong(f'[[models.providers]]\nname = "main"\n{line}\n', tmp_path)
    assert "models.providers[0]" in said
    assert KEY not in said


def test_the_starting_file_says_nothing_and_its_lines_are_the_defaults() -> None:
    for locale in ("en", "zh"):
        text = starting_file(locale)
        assert Settings.model_validate(tomllib.loads(text)) == Settings()
    # Up to the first example of a table with a free name; then from the next plain table on.
    lines, example = [], False
    for line in text.splitlines():
        if line.startswith(("# [", "[")):
            example = line.startswith("#")
        is_default = line.startswith("# ") and " = " in line and not line.endswith("= ")
        lines.append(line[2:] if is_default and not example else line)
    assert lines != text.splitlines()
    content = tomllib.loads("\n".join(lines))
    assert Settings.model_validate(content) == Settings()
    assert {"port", "host", "allowed_hosts"} == content["web"].keys()


def test_every_setting_is_explained_in_both_languages() -> None:
    english, chinese = (starting_file(locale).splitlines() for locale in ("en", "zh"))
    assert len(english) == len(chinese)
    for one, other in zip(english, chinese, strict=True):
        assert (one != other) == (one.startswith("# ") and one.endswith(".")), f"{one} | {other}"
    explained = {line for line in chinese if line.startswith("# ") and line.endswith("。")}
    assert {f"# {text}" for text in CHINESE.values()} <= explained


def test_init_makes_a_file_and_leaves_one_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    assert maibot_host("config", "init", str(file)).exit_code == 0
    assert maibot_host("config", "check", str(file)).exit_code == 0
    file.write_text("mine = 1\n", encoding="utf-8")
    assert maibot_host("config", "init", str(file)).exit_code == 1
    assert file.read_text(encoding="utf-8") == "mine = 1\n"


def test_check_ends_with_1_where_something_is_wrong_and_tells_machines_too(tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    file.write_text("[web]\nprot = 1\n", encoding="utf-8")
    told = maibot_host("config", "check", str(file), "--json")
    assert told.exit_code == 1
    (problem,) = json.loads(told.stdout)["problems"]
    assert (problem["name"], problem["line"], problem["key"]) == (str(file), 2, "web.prot")
    file.write_text("[web\n", encoding="utf-8")
    told = maibot_host("config", "check", str(file), "--lang", "zh")
    assert told.exit_code == 1
    assert "第 1 行" in told.stdout
    assert maibot_host("config", "check", str(tmp_path / "none.toml")).exit_code == 1


def test_check_misses_the_variable_that_is_to_hold_a_key(tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    file.write_text('[[models.providers]]\nname = "main"\napi_key_env = "NO_SUCH_KEY"\n', encoding="utf-8")
    told = maibot_host("config", "check", str(file))
    assert told.exit_code == 1
    assert f"{file}:3: models.providers[0].api_key_env names the environment variable NO_SUCH_KEY" in told.stdout
    assert maibot_host("config", "check", str(file), NO_SUCH_KEY=KEY).exit_code == 0


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_show_tells_where_each_value_comes_from_and_no_secret(form: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    file.write_text(
        '[bot]\nnickname = "Nora"\n[[models.providers]]\nname = "main"\n'
        f'api_key = "{KEY}"\nheaders = {{ x-key = "{KEY}" }}\n'
        f'[[models.providers]]\nname = "other"\n'
        f'[[models.models]]\nname = "m"\nprovider = "main"\nextra = {{ token = "{KEY}" }}\n',
        encoding="utf-8",
    )
    arguments = ("config", "show", "--config", str(file), *form)
    told = maibot_host(*arguments, MAIBOT_HOST__WEB__PORT="9", MAIBOT_KEY_OTHER=KEY)
    assert told.exit_code == 0
    assert KEY not in told.stdout
    if form:
        rows = {row["key"]: row for row in json.loads(told.stdout)}
        assert (rows["bot.nickname"]["value"], rows["bot.nickname"]["line"]) == ("Nora", 2)
        assert rows["web.port"]["name"] == "MAIBOT_HOST__WEB__PORT"
        assert rows["web.host"]["source"] == "default"
    else:
        lines = told.stdout.splitlines()
        assert f'bot.nickname = "Nora"  # {file}:2' in lines
        assert "web.port = 9  # environment variable MAIBOT_HOST__WEB__PORT" in lines
        assert 'web.host = "127.0.0.1"  # default' in lines
        assert f'models.providers[0].api_key = "***"  # {file}:5' in lines
        assert 'models.providers[1].api_key = "***"  # environment variable MAIBOT_KEY_OTHER' in lines
        assert "# runners.memory_limit_mb =  # default" in lines
