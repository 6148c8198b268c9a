"""The section `[models]`: what may stand there, and that keys stay where they are."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from host.models import ModelSettings, NoAnswerError
from host.settings import Settings, SettingsError
from tests.models.asking import HELLO, KEY, asking, provider, settings
from tests.models.endpoint import chunk, endpoint, says, streamed, told

TOML = """
[[models.providers]]
name = "main"
base_url = "http://127.0.0.1:9/v1"
api_key_env = "SOME_KEY"

[[models.models]]
name = "chat-small"
provider = "main"
price_in = 0.15

[[models.models]]
name = "embed-1"
provider = "main"
capabilities = ["embedding"]

[models.tasks.replyer]
models = ["chat-small"]
temperature = 0.8
"""


def names(models: ModelSettings, task: Any) -> list[str]:
    return [entry.name for entry in models.pool(task)]


def test_a_task_has_its_pool_or_every_model_that_can_do_it(tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    file.write_text(TOML, encoding="utf-8")
    models = Settings.load(file).models
    assert names(models, "replyer") == ["chat-small"]
    assert names(models, "planner") == ["chat-small"]
    assert names(models, "embedding") == ["embed-1"]
    assert names(models, "vision") == []
    assert models.task("replyer").temperature == 0.8


def test_without_any_provider_the_offline_model_does_everything() -> None:
    for task in ("planner", "replyer", "embedding", "vision", "voice"):
        assert names(ModelSettings(), task) == ["offline"]


async def test_the_tasks_are_those_that_public_plugins_name_and_each_has_a_pool() -> None:
    facts = json.loads((Path(__file__).parent.parent / "data/models.json").read_text(encoding="utf-8"))
    async with asking(ModelSettings()) as models:
        assert list(models.tasks) == facts["llm"]["llm.get_available_models"]["example"]["models"]
        for task in (*models.tasks, "utility", "vision"):
            assert [entry.name for entry in models.pool(task)] == ["offline"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"models": [{"name": "m", "provider": "other"}]}, r"'m' names the provider 'other'; there are \['main'\]"),
        ({"tasks": {"replyer": {"models": ["x"]}}}, r"task 'replyer' names the model 'x'; there are \['m'\]"),
        ({"tasks": {"embedding": {"models": ["m"]}}}, "task 'embedding' needs the capability 'embedding'"),
        ({"tasks": {"planer": {}}}, "'planner'"),
        ({"models": [{"name": "m", "provider": "main"}] * 2}, "model 'm' is there 2 times"),
        ({"providers": [{"name": "main"}] * 3}, "provider 'main' is there 3 times"),
        ({"providers": [{"name": "main", "base_url": "ftp://x"}]}, "http://"),
        ({"providers": [{"name": "main", "base_url": f"http://me:{KEY}@x/v1"}]}, "without user, password"),
        ({"providers": [{"name": "main", "api_key": KEY, "api_key_env": "A"}]}, "not both"),
        ({"providers": [{"name": "main", "apikey": KEY}]}, "apikey"),
        ({"providers": [{"name": "main", "api_key": [KEY]}]}, "api_key"),
        ({"providers": [KEY]}, "providers"),
        ({"providers": {"main": {"api_key": KEY}}}, "providers"),
    ],
)
def test_what_does_not_fit_is_told_and_no_key_with_it(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    sound = {"providers": [{"name": "main", "api_key": KEY}], "models": [{"name": "m", "provider": "main"}]}
    with pytest.raises(ValidationError, match=told) as caught:
        ModelSettings.model_validate({**sound, **change})
    assert KEY not in str(caught.value)
    file = tmp_path / "host.toml"
    file.write_text(_toml({**sound, **change}), encoding="utf-8")
    with pytest.raises(SettingsError, match=told) as unusable:
        Settings.load(file)
    assert KEY not in unusable.value.text("en") + unusable.value.text("zh") + repr(unusable.value)
    assert KEY not in repr(unusable.value.__cause__) + str(unusable.value.__cause__)


def _toml(models: dict[str, Any]) -> str:
    import tomlkit

    return tomlkit.dumps({"models": models})


def test_a_wrong_number_is_still_told_as_found(tmp_path: Path) -> None:
    file = tmp_path / "host.toml"
    file.write_text('[[models.providers]]\nname = "main"\nretries = -1\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"models\.providers\[0\]\.retries is -1"):
        Settings.load(file)


def test_a_key_is_in_no_text_of_the_settings() -> None:
    chosen = settings(provider("main", "http://x/v1", headers={"X-Key": KEY + "-2"}))
    whole = Settings(models=chosen)
    texts = (
        repr(whole),
        str(whole),
        whole.model_dump_json(),
        str(whole.model_dump(mode="json")),
        str(whole.model_dump()),
    )
    assert not [text for text in texts if KEY in text]


@pytest.mark.parametrize(
    ("entry", "environ", "sent"),
    [
        ({}, {}, KEY),
        ({"api_key": None, "api_key_env": "SOME_KEY"}, {"SOME_KEY": "from-there"}, "from-there"),
        ({}, {"MAIBOT_KEY_MY_MAIN": "override"}, "override"),
        ({"api_key": None, "api_key_env": "SOME_KEY"}, {"MAIBOT_KEY_MY_MAIN": "override"}, "override"),
    ],
)
async def test_the_environment_gives_and_overrides_keys(
    entry: dict[str, Any], environ: dict[str, str], sent: str
) -> None:
    async with (
        endpoint(says()) as running,
        asking(settings(provider("my-main", running.url, **entry)), environ=environ) as models,
    ):
        await models.generate("replyer", HELLO)
    assert running.asked[0].headers["authorization"] == f"Bearer {sent}"


async def test_a_key_variable_that_is_not_set_is_named() -> None:
    chosen = settings(provider("main", "http://127.0.0.1:9/v1", api_key=None, api_key_env="SOME_KEY"))
    async with asking(chosen) as models:
        with pytest.raises(NoAnswerError, match=r"no key.*SOME_KEY or MAIBOT_KEY_MAIN"):
            await models.generate("replyer", HELLO)


async def test_no_key_comes_into_a_log_line_or_an_error_whatever_the_endpoint_says(
    logged: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    second_key = "hdr-secret-987654"
    echo = f"wrong key {KEY} with {second_key} "
    answers = [
        told({"error": {"message": echo}}, 401),
        told({"error": {"message": "x" * 290 + echo}}, 500),
        told((KEY * 9).encode()),
        told({"error": {"message": echo}}),
        told({"choices": [{"message": {"content": {KEY: echo}}}]}),
        streamed(chunk({"content": "Hi"}), f'data: {{"error": {{"message": "{echo}"}}}}\n\n'.encode()),
        streamed(f"data: {echo}\n\n".encode()),
    ]
    texts: list[str] = []
    for answer in answers:
        async with endpoint(answer) as running:
            chosen = settings(provider("main", running.url, headers={"X-Key": second_key}))
            async with asking(chosen) as models:
                with pytest.raises(NoAnswerError) as caught:
                    async for _ in models.stream("replyer", HELLO):
                        pass
                texts += [caught.value.text("en"), caught.value.text("zh"), repr(caught.value.attempts)]
                with pytest.raises(NoAnswerError) as caught:
                    await models.generate("replyer", HELLO)
                texts += [caught.value.text("en"), repr(caught.value.attempts), repr(models)]
        assert running.asked[0].headers["x-key"] == second_key
    assert len(logged) > len(answers)
    lines = [*logged, *texts, *(record.getMessage() for record in caplog.records)]
    assert caplog.records
    assert not [line for line in lines if KEY[:12] in line or second_key[:8] in line]
