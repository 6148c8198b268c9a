"""Plugins on disk that take part in replies, in the host's process and in one of their own: a provider of models, an
extension of the reply tool, and what they use of models."""

import time
from pathlib import Path
from typing import Any, Literal

import pytest

from host import Host, Settings
from host.models import ModelSettings
from host.storage import DATABASE_FILE, Storage
from tests.bot.chat import MemoryGateway, message_dict
from tests.bot.talk import calls
from tests.cli.running import write_plugin
from tests.models.asking import provider
from tests.models.endpoint import endpoint, says

PLUGIN = """
from maibot_sdk import LLMProvider, MaiBotPlugin, ReplyExtension

class Voice(MaiBotPlugin):
    async def on_load(self): ...
    async def on_unload(self): ...
    async def on_config_update(self, scope, config_data, version): ...

    @LLMProvider("voice")
    async def speak(self, operation, request):
        asked = request["context_items"][0]["parts"][0]["text"]
        usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        return {"content": "told: " + asked.rpartition("\\n\\n")[2], "usage": usage}

    @LLMProvider("unlisted")
    async def whisper(self, operation, request):
        return {"content": "psst"}

    @ReplyExtension("hum", parameters={"tune": {"type": "string", "required": True}})
    async def hum(self, phase, parameters, messages, **kwargs):
        if phase == "prepare":
            answer = await self.ctx.llm.generate(prompt="a word?")
            return {"extra_prompt": f"{answer['response']} {parameters['tune']}"}
        messages[0]["segments"].append({"type": "text", "data": "!"})
        return {"messages": messages}

def create_plugin():
    return Voice()
"""


def models(url: str) -> ModelSettings:
    """A model of the plugin words the replies; an endpoint does the rest."""
    providers = [provider("main", url), {"name": "own", "kind": "voice"}, {"name": "other", "kind": "unlisted"}]
    return ModelSettings.model_validate(
        {
            "providers": providers,
            "models": [{"name": f"{each['name']}-model", "provider": each["name"]} for each in providers],
            "tasks": {
                "replyer": {"models": ["own-model"]},
                "planner": {"models": ["main-model"]},
                "utility": {"models": ["main-model"]},
            },
        }
    )


@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_a_plugin_words_replies_and_extends_them_and_what_is_used_is_its(
    tmp_path: Path, isolation: Literal["inline", "process"], logged: list[str]
) -> None:
    folder = write_plugin(
        tmp_path / "plugins",
        "team.voice",
        PLUGIN,
        capabilities=["llm.generate"],
        llm_providers=[{"client_type": "voice"}],
    )
    plan = calls("reply", msg_id="771", plugin_options={"team.voice.hum": {"tune": "softly"}})
    gateway = MemoryGateway()
    async with endpoint(plan, says("Hum"), calls("reply", msg_id="771")) as running:
        wanted: dict[str, Any] = {"plugins": {"isolation": isolation}, "models": models(running.url).model_dump()}
        settings = Settings(data_dir=tmp_path / "data", plugin_dirs=(folder,), bundled_plugins=False, **wanted)
        async with Host(settings, gateways=(gateway,)) as host:
            outcome = await host.bot.receive(message_dict("Tea?"))
            await host.plugins.unload("team.voice")
            gone = await host.bot.receive(message_dict("Tea?"))
    assert gateway.texts() == ["told: Hum softly!"]
    assert gone.reason is not None
    assert "voice" in gone.reason.text()
    assert any("'unlisted'" in line and "lists voice" in line for line in logged)
    async with Storage.open(tmp_path / "data" / DATABASE_FILE) as storage:
        sums = await storage.usage.sums(0, time.time() + 60, by=("task_name", "plugin_id", "session_id"))
    used = {each.key: each.total_tokens for each in sums}
    assert used[("replyer", None, outcome.session_id)] == 10
    assert used[("utility", "team.voice", "")] == 129
    assert ("planner", None, outcome.session_id) in used
