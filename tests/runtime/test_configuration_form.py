"""The form of a configuration is the plugin's own, or is made up from what the file says."""

from pathlib import Path
from typing import Any

from maibot_sdk import MaiBotPlugin
from tests.runtime.configured import (
    FRESH,
    Wordy,
    configuration,
)


def test_the_form_is_the_plugins_own(tmp_path: Path) -> None:
    form = configuration(tmp_path, Wordy()).schema()
    assert form["plugin_id"] == "a.b"
    assert form["sections"]["words"]["fields"]["limit"]["max"] == 60
    assert "_note" not in form


def test_without_a_model_the_form_is_made_up_from_the_file(tmp_path: Path) -> None:
    text = "debug = true\n[words]\nmode = 'on'\nlimit = 3\nratio = 0.5\nnames = []\naliases = {}\n"
    form = configuration(tmp_path, MaiBotPlugin(), text).schema()
    assert {key: field["type"] for key, field in form["sections"]["words"]["fields"].items()} == {
        "mode": "string",
        "limit": "integer",
        "ratio": "number",
        "names": "array",
        "aliases": "object",
    }
    assert form["sections"]["general"]["fields"]["debug"]["default"] is True
    assert "_note" not in form


def test_a_made_up_form_has_the_shape_of_a_plugins_own(tmp_path: Path) -> None:
    own = configuration(tmp_path, Wordy(), FRESH).schema()
    made_up = configuration(tmp_path, None, FRESH).schema()
    assert made_up.keys() == own.keys()
    assert made_up["plugin_info"].keys() == own["plugin_info"].keys()
    for section in ("plugin", "words", "general"):
        assert made_up["sections"][section].keys() == own["sections"][section].keys()
    fields = (form["sections"]["words"]["fields"]["limit"].keys() for form in (made_up, own))
    assert set(next(fields)) == set(next(fields))


def test_a_form_that_cannot_be_had_says_why(tmp_path: Path) -> None:
    class Formless(Wordy):
        def get_webui_config_schema(self, **facts: Any) -> dict[str, Any]:
            raise LookupError("no form today")

    config = configuration(tmp_path, Formless(), FRESH)
    assert "no form today" in config.schema()["_note"]
    assert "插件" in config.schema("zh")["_note"]
    assert config.schema()["sections"]["words"]["fields"]["limit"]["default"] == 3


def test_the_form_of_a_broken_file_without_a_model_says_what_is_broken(tmp_path: Path) -> None:
    form = configuration(tmp_path, None, "a = \n").schema()
    assert form["sections"] == {}
    assert "line 1, column 5" in form["_note"]
