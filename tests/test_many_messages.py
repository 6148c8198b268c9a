"""Many messages in many chats with many plugins: in order, none lost, nothing piled up, and not even by a kill."""

import asyncio
import gc
import signal
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

from host import Host, Settings
from host.bot import Status
from host.storage import DATABASE_FILE
from tests.bot.chat import MemoryGateway, message_dict
from tests.cli.running import environment, finished
from tests.runtime.plugin_folders import write_plugin

ROOT = Path(__file__).parents[1]
SESSIONS, MESSAGES, PLUGINS = 50, 2000, 20

TRIVIAL = """
    import asyncio
    from maibot_sdk import HookHandler, MaiBotPlugin

    class Trivial(MaiBotPlugin):
        async def on_load(self): ...

        @HookHandler("chat.receive.before_process")
        async def before(self, message, **kwargs):
            # Some are received sooner than others.
            for _ in range(int(message["message_id"]) % 3):
                await asyncio.sleep(0)

        @HookHandler("chat.receive.after_process")
        async def after(self, **kwargs): ...

        @HookHandler("send_service.before_send")
        async def send(self, **kwargs): ...

    create_plugin = Trivial
"""

LIVES_OR_DIES = """
import asyncio, sys
from pathlib import Path
from loguru import logger
from host import Host, Settings
from host.bot import SessionMessage
from tests.test_many_messages import settings_of, said

logger.remove()

class Lines:
    platform = "qq"

    async def deliver(self, message, *, typing, reply_message_id):
        print("said", message.text.split("tea ")[1].split('"')[0], flush=True)
        return None

async def main():
    folder, mode = Path(sys.argv[1]), sys.argv[2]
    async with Host(settings_of(folder), gateways=(Lines(),)) as host:
        for outcome in await host.take_up():
            print("again", outcome.message_id, outcome.status.value, flush=True)
        if mode == "new":
            await asyncio.gather(*(host.bot.receive(said(number)) for number in range(400)))

asyncio.run(main())
"""

KILLS = """
    import os, signal
    from pathlib import Path
    from maibot_sdk import HookHandler, MaiBotPlugin

    class Kills(MaiBotPlugin):
        async def on_load(self): ...

        @HookHandler("chat.receive.before_process")
        async def kill(self, message, **kwargs):
            spent = Path(__file__).with_name("spent")
            if "boom" in str(message["raw_message"]) and not spent.exists():
                spent.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    create_plugin = Kills
"""


def settings_of(folder: Path) -> Settings:
    """Settings of a host with the plugins of a folder, all in its process."""
    sections = {"plugins": {"isolation": "inline"}, "turns": {"max_waiting": 100}}
    places = {"data_dir": folder / "data", "plugin_dirs": [folder / "plugins"], "bundled_plugins": False}
    return Settings.model_validate({**sections, **places})


def said(number: int) -> dict[str, Any]:
    """The message of a number, in one of the chats."""
    data = message_dict(f"tea {number}", message_id=str(number), timestamp=str(1_790_000_000 + number))
    data["message_info"]["group_info"] = {"group_id": str(number % SESSIONS), "group_name": "A"}
    return data


def write_plugins(folder: Path, number: int) -> None:
    for index in range(number):
        write_plugin(folder / "plugins", f"team.trivial{index}", TRIVIAL)


async def test_of_many_messages_none_is_lost_each_chat_is_in_order_and_nothing_piles_up(tmp_path: Path) -> None:
    write_plugins(tmp_path, PLUGINS)
    gateway = MemoryGateway()
    kept, half = [], MESSAGES // 2
    async with Host(settings_of(tmp_path), gateways=(gateway,)) as host:
        for numbers in (range(half), range(half, MESSAGES)):
            outcomes = await asyncio.gather(*(host.bot.receive(said(number)) for number in numbers))
            assert {outcome.status for outcome in outcomes} == {Status.REPLIED}
            assert host.turns.busy == 0
            assert len(asyncio.all_tasks()) < 10
            del outcomes
            gc.collect()
            kept.append(len(gc.get_objects()) - 50 * len(gateway.deliveries))
    order: defaultdict[int, list[int]] = defaultdict(list)
    for text in gateway.texts():
        number = int(text.split("tea ")[1].split('"')[0])
        order[number % SESSIONS].append(number)
    assert order == {chat: list(range(chat, MESSAGES, SESSIONS)) for chat in range(SESSIONS)}
    assert kept[1] - kept[0] < half


def test_a_kill_in_the_middle_loses_no_message_that_a_plugin_saw(tmp_path: Path) -> None:
    write_plugins(tmp_path, 2)
    command = [sys.executable, "-c", LIVES_OR_DIES, str(tmp_path)]
    with subprocess.Popen([*command, "new"], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment()) as first:
        assert first.stdout is not None
        before = [first.stdout.readline() for _ in range(100)]
        first.send_signal(signal.SIGKILL)
        before += first.stdout.readlines()
    assert first.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE_FILE)) as stored:
        came = [*stored.execute("SELECT json_extract(message, '$.message_id') FROM arrivals")]
        came += stored.execute("SELECT message_id FROM messages WHERE direction = 'in'")
        owed = [*stored.execute("SELECT message_id FROM messages WHERE handling = 'received'")]
    assert owed
    second = subprocess.run(
        [*command, "again"], capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=60, check=True
    )
    after = second.stdout.splitlines()
    again = [line.split()[1] for line in after if line.startswith("again")]
    answered = Counter(line.split()[1] for line in (*before, *after) if line.startswith("said"))
    assert {*answered} == {number for (number,) in came}
    assert {number for number, times in answered.items() if times > 1} <= {*again}
    assert max(answered.values()) <= 2
    assert len(again) == len({*again})
    # In order within each chat, and each once only, ever.
    for chat in range(SESSIONS):
        numbers = [int(number) for number in again if int(number) % SESSIONS == chat]
        assert numbers == sorted(numbers)


async def test_a_program_that_dies_in_a_receive_hook_answers_the_message_at_its_next_start(tmp_path: Path) -> None:
    write_plugin(tmp_path / "plugins", "team.kills", KILLS)
    (tmp_path / "host.toml").write_text('bundled_plugins = false\n[plugins]\nisolation = "inline"\n')
    options = ("run", "--no-web", "--plugins", str(tmp_path / "plugins"))
    died = await finished(*options, cwd=tmp_path, typed="hello\nboom\n")
    assert died.code == -signal.SIGKILL
    again, no_more = [await finished(*options, cwd=tmp_path) for _ in range(2)]
    assert [line for line in again.out.splitlines() if "Taken up again" in line and "boom" in line]
    assert "hello" not in again.out
    assert "Taken up again" not in no_more.out
