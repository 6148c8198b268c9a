"""A headless Chromium that draws HTML as pictures: started with the first picture, closed with the host."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from host.capabilities.errors import RefusalError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright, Route, WebSocketRoute

AT_ONCE = 2
"""How many pictures are drawn at the same time."""
STARTUP_SECONDS = 20.0
_SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_WITHIN = ("about:", "blob:", "data:")
_PNG_SIZE = slice(16, 24)
WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]


class RenderSettings(BaseModel):
    """The section ``[render]``: pictures that plugins have drawn from HTML."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(True, description="Whether plugins may have HTML drawn.")
    executable: str = Field("", description="The Chromium to use; empty for the one that Playwright or the system has.")
    timeout_seconds: float = Field(
        15.0, gt=0, le=600, description="How long drawing may take where a plugin does not say."
    )
    allow_network: bool = Field(True, description="Whether pages may load things where the plugin asks for that.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What is to be drawn.

    Args:
        html: the page.
        selector: the CSS selector of the part to draw.
        width: of the window, in pixels of the page.
        height: likewise.
        scale: pixels of the picture to one of the page.
        full_page: all of the page, and not the part.
        transparent: without the white background.
        wait_until: when the page counts as there.
        wait_for: draw only once something that this selects can be seen; "" for nothing.
        wait_ms: wait this long before drawing.
        seconds: how long all of it may take.
        network: whether the page may load things.
    """

    html: str
    selector: str
    width: int
    height: int
    scale: float
    full_page: bool
    transparent: bool
    wait_until: WaitUntil
    wait_for: str
    wait_ms: int
    seconds: float
    network: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG picture.

    Args:
        png: its bytes.
        milliseconds: how long drawing it took.
    """

    png: bytes
    milliseconds: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        head = self.png[_PNG_SIZE]
        return int.from_bytes(head[:4]), int.from_bytes(head[4:])


class Chromium:
    """A headless Chromium. Each picture is drawn in a context of its own, which shares nothing with others.

    Args:
        executable: the program; "" for the one that Playwright has installed, else one of the system.
    """

    def __init__(self, executable: str = "") -> None:
        self._executable = executable
        self._free = asyncio.Semaphore(AT_ONCE)
        self._starting = asyncio.Lock()
        self._running: tuple[Playwright, Browser] | None = None

    async def draw(self, drawing: Drawing) -> Picture:
        """Draw a page.

        Raises:
            RefusalError: there is no browser, it took too long, or nothing can be seen where something is to be drawn.
        """
        async with self._free:
            browser = await self._browser()
            started = perf_counter()
            png = await _drawn(browser, drawing)
            return Picture(png, round((perf_counter() - started) * 1000))

    async def aclose(self) -> None:
        """End the browser, where it was started."""
        async with self._starting:
            await self._stop()

    async def _browser(self) -> "Browser":
        async with self._starting:
            if self._running is not None and self._running[1].is_connected():
                return self._running[1]
            await self._stop()
            try:
                self._running = await asyncio.wait_for(self._start(), STARTUP_SECONDS)
            except TimeoutError:
                raise RefusalError("render_no_start", why=f"{STARTUP_SECONDS:g} s") from None
            return self._running[1]

    async def _start(self) -> "tuple[Playwright, Browser]":
        try:
            from playwright.async_api import Error, async_playwright
        except ImportError:
            raise RefusalError("render_no_playwright") from None
        async with AsyncExitStack() as undo:
            playwright = await async_playwright().start()
            undo.push_async_callback(playwright.stop)
            program = self._executable or _program(Path(playwright.chromium.executable_path))
            try:
                browser = await playwright.chromium.launch(executable_path=program)
            except Error as error:
                raise RefusalError("render_no_start", why=_first_line(error)) from None
            undo.pop_all()
            return playwright, browser

    async def _stop(self) -> None:
        if self._running is not None:
            (playwright, browser), self._running = self._running, None
            await browser.close()
            await playwright.stop()


def _program(own: Path) -> str:
    """Playwright's browser, else one of the system."""
    program = str(own) if own.exists() else next(filter(None, map(shutil.which, _SYSTEM_NAMES)), None)
    if program is None:
        raise RefusalError("render_no_browser")
    return program


async def _drawn(browser: "Browser", drawing: Drawing) -> bytes:
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as TooLongError

    try:
        async with asyncio.timeout(drawing.seconds), _context(browser, drawing) as context:
            page = await context.new_page()
            return await _shot(page, drawing)
    except (TimeoutError, TooLongError):
        wanted = drawing.wait_for or drawing.selector
        raise RefusalError("render_too_long", seconds=f"{drawing.seconds:g}", selector=wanted) from None
    except Error as error:
        raise RefusalError("render_failed", why=_first_line(error)) from None


async def _shot(page: "Page", drawing: Drawing) -> bytes:
    milliseconds = drawing.seconds * 1000
    await page.set_content(drawing.html, wait_until=drawing.wait_until, timeout=milliseconds)
    if drawing.wait_for:
        await page.locator(drawing.wait_for).first.wait_for(state="visible", timeout=milliseconds)
    if drawing.wait_ms:
        await page.wait_for_timeout(drawing.wait_ms)
    if drawing.full_page:
        return await page.screenshot(
            type="png", full_page=True, omit_background=drawing.transparent, timeout=milliseconds
        )
    part = page.locator(drawing.selector).first
    await part.wait_for(state="visible", timeout=milliseconds)
    return await part.screenshot(type="png", omit_background=drawing.transparent, timeout=milliseconds)


@asynccontextmanager
async def _context(browser: "Browser", drawing: Drawing) -> "AsyncIterator[BrowserContext]":
    context = await browser.new_context(
        viewport={"width": drawing.width, "height": drawing.height},
        device_scale_factor=drawing.scale,
        offline=not drawing.network,
        service_workers="block",
        accept_downloads=False,
    )
    try:
        if not drawing.network:
            await context.route("**/*", _stay_within)
            await context.route_web_socket("**/*", _refuse_socket)
        yield context
    finally:
        await context.close()


async def _stay_within(route: "Route") -> None:
    if route.request.url.startswith(_WITHIN):
        await route.continue_()
    else:
        await route.abort("internetdisconnected")


async def _refuse_socket(socket: "WebSocketRoute") -> None:
    await socket.close()


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
