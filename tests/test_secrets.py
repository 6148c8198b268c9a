"""A key of a provider is in no log line, no outcome and no answer of the web interface, however a call goes."""

from pathlib import Path

from host import Host
from host.bot import ConsoleGateway, Status
from tests.models.endpoint import endpoint, says, told
from tests.test_sections import settings_of, typed
from tests.web.serving import SECRET, bearer, serving
from webui_api import AccessToken, create_app

KEY = "sk-a-very-secret-key"
ROUTES = ("/plugins/runtime/hooks", "/plugins/runtime/processes", "/plugins/runtime/plugins", "/openapi.json")


async def test_a_key_in_the_settings_is_in_nothing_that_is_told(tmp_path: Path, logged: list[str]) -> None:
    said: list[str] = []
    refusal = told({"error": {"message": f"Incorrect API key provided: {KEY}"}}, 401)
    async with endpoint(refusal, says("hm")) as server:
        provider = {"name": "main", "base_url": server.url, "api_key": KEY, "retries": 0, "headers": {"x-key": KEY}}
        models = {"providers": [provider], "models": [{"name": "m", "provider": "main"}]}
        settings = settings_of(tmp_path, models=models)
        async with Host(settings, fallback=ConsoleGateway(said.append)) as host:
            outcome = await host.bot.receive(typed("hello"))
            assert outcome.status is Status.NO_REPLY
            assert outcome.reason is not None
            said += [outcome.line("en"), outcome.line("zh"), repr(outcome), repr(host.settings)]
            async with serving(create_app(host, AccessToken(SECRET, tmp_path / "webui.json"))) as client:
                for route in ROUTES:
                    answer = await client.get(route, headers=bearer())
                    assert answer.status_code == 200
                    said.append(answer.text)
        assert KEY in str(server.asked[0].headers)
    assert any("No plan" in line for line in logged)
    assert KEY not in "\n".join([*said, *logged])
