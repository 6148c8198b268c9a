"""``ctx.render``: HTML as pictures, by a real Chromium."""

import shutil
import sys
from base64 import b64decode
from pathlib import Path

import pytest

from host.capabilities.browser import AT_ONCE
from tests.capabilities.home import home
from tests.models.endpoint import endpoint, says

DRAW = "ctx.render.html2png"
RED = "<body style='margin:0'><div id=box style='width:40px;height:30px;background:red'></div></body>"

needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium (Debian: chromium)")


@needs_chromium
async def test_html_is_drawn_and_loads_nothing_unless_allowed(tmp_path: Path) -> None:
    async with home(tmp_path, "render.html2png") as here, endpoint(says("x")) as outside:
        drawn = await here.ask(f"{DRAW}({RED!r}, selector='#box')")
        assert (drawn["mime_type"], drawn["width"], drawn["height"]) == ("image/png", 80, 60)
        assert b64decode(drawn["image_base64"]).startswith(b"\x89PNG")
        assert drawn["render_ms"] > 0

        whole = await here.ask(
            f"{DRAW}({RED!r}, viewport={{'width': 100, 'height': 70}}, full_page=True, device_scale_factor=1)"
        )
        assert (whole["width"], whole["height"]) == (100, 70)

        many = await here.ask(f"asyncio.gather(*[{DRAW}({RED!r}, selector='#box') for _ in range({AT_ONCE + 1})])")
        assert [each["height"] for each in many] == [60] * (AT_ONCE + 1)

        secret = tmp_path / "secret.svg"
        secret.write_text("<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'/>")
        page = (
            f"<body><img src='{outside.url}/a.png'><img src='{secret.as_uri()}' onload='loaded.id=\"told\"'>"
            f"<p id=loaded>x</p><script>fetch('{outside.url}/b').catch(() => 0);"
            f"new WebSocket('{outside.url.replace('http', 'ws')}/c')</script></body>"
        )
        await here.ask(f"{DRAW}({page!r}, wait_for_timeout_ms=100)")
        assert outside.asked == []
        assert "'#told'" in await here.refused(f"{DRAW}({page!r}, wait_for_selector='#told', render_timeout_ms=300)")
        picture = f"<body><img src='{outside.url}/a.png'></body>"
        await here.ask(f"{DRAW}({picture!r}, allow_network=True)")
        assert [each.path.rpartition("/")[2] for each in outside.asked] == ["a.png"]

        assert "'#nothing'" in await here.refused(f"{DRAW}({RED!r}, selector='#nothing', render_timeout_ms=200)")
        assert "cannot be drawn" in await here.refused(f"{DRAW}({RED!r}, selector='##')")


WRONG = {
    f"{DRAW}(' ')": "'html' is '",
    f"{DRAW}('<p>', viewport={{'width': 0}})": "'viewport.width' is 0; allowed is int, 1 to 10000",
    f"{DRAW}('<p>', device_scale_factor=0.5)": "'device_scale_factor' is 0.5",
}


async def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    async with home(tmp_path, "render.html2png") as here:
        for call, why in WRONG.items():
            assert why in await here.refused(call)


async def test_the_owner_may_switch_it_off(tmp_path: Path) -> None:
    async with home(tmp_path, "render.html2png", render={"enabled": False}) as here:
        assert "[render]" in await here.refused(f"{DRAW}('<p>x</p>')")


async def test_the_owner_may_keep_pages_off_the_network(tmp_path: Path) -> None:
    async with home(tmp_path, "render.html2png", render={"allow_network": False}) as here:
        assert "[render]" in await here.refused(f"{DRAW}('<p>x</p>', allow_network=True)")


async def test_what_is_missing_is_told_with_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with home(tmp_path, "render.html2png", render={"executable": "/nowhere/chromium"}) as here:
        assert "/nowhere/chromium" in await here.refused(f"{DRAW}('<p>x</p>')")
        monkeypatch.setitem(sys.modules, "playwright.async_api", None)
        assert "pip install 'maibot-host[render]'" in await here.refused(f"{DRAW}('<p>x</p>')")
    monkeypatch.undo()
    monkeypatch.setattr("host.capabilities.browser._SYSTEM_NAMES", ("no-such-chromium",))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    (tmp_path / "again").mkdir()
    async with home(tmp_path / "again", "render.html2png") as here:
        assert "playwright install chromium" in await here.refused(f"{DRAW}('<p>x</p>')")
