"""Ten thousand mutated manifests: none is more than refused, and what is reported is what was mutated."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from host.runtime.manifests.manifest import Manifest, read_manifest, warnings_of
from host.runtime.manifests.versions import HostVersions
from host.runtime.problems import ManifestError, ManifestProblem
from tests.runtime.plugin_folders import manifest

Keys = tuple[str | int, ...]

EVERYTHING = manifest(
    "some.plugin",
    license="MIT",
    urls={key: f"https://example.org/{key}" for key in ("repository", "homepage", "documentation", "issues")},
    host_application={"min_version": "1.0.0", "max_version": "1.99.99"},
    sdk={"min_version": "2.0.0", "max_version": "2.99.99"},
    dependencies=[
        {"type": "plugin", "id": "other.plugin", "version_spec": ">=1.0.0"},
        {"type": "python_package", "name": "aiohttp", "version_spec": ">=3.8,<4"},
    ],
    capabilities=["send.text", "llm.generate"],
    i18n={"default_locale": "zh-CN", "locales_path": "_locales", "supported_locales": ["zh-CN", "en-US"]},
    llm_providers=[{"client_type": "some.client", "name": "n", "description": "d", "version": "1.0.0"}],
    plugin_type="tool",
    type="tool",
    display={"icon": {"type": "local", "value": "icon.png", "background": "#ffffff", "fallback": "puzzle"}},
    changelog="CHANGELOG.md",
)
REQUIRED = {
    *(f"$.{key}" for key in ("manifest_version", "id", "version", "name", "description", "author")),
    *("$.author.name", "$.author.url", "$.llm_providers[0].client_type"),
    *(f"$.dependencies[0].{key}" for key in ("type", "id", "version_spec")),
    *(f"$.dependencies[1].{key}" for key in ("type", "name", "version_spec")),
}
REFUSED_BLANK = {
    *("$.id", "$.version", "$.name", "$.author.name", "$.llm_providers[0].client_type"),
    *("$.dependencies[0].type", "$.dependencies[0].id", "$.dependencies[1].type", "$.dependencies[1].name"),
    *(f"${part}{end}" for part in (".sdk", ".host_application") for end in (".min_version", ".max_version")),
    *(f"$.capabilities[{index}]" for index in (0, 1)),
    *(f"$.i18n.supported_locales[{index}]" for index in (0, 1)),
}


def places(value: Any, keys: Keys = ()) -> Iterator[Keys]:
    """The way to everything in a manifest but itself."""
    members: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*keys, key)
        yield from places(member, (*keys, key))


def written(keys: Keys) -> str:
    return "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)


def at(content: Any, keys: Keys) -> Any:
    for key in keys:
        content = content[key]
    return content


class Mutator:
    """Changes one thing at a time, and reads what becomes of it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = Random(seed)
        self.file = folder / "_manifest.json"
        self.places = list(places(EVERYTHING))

    def pick(self) -> tuple[dict[str, Any], Keys]:
        return deepcopy(EVERYTHING), self.random.choice(self.places)

    def read(self, content: object) -> tuple[Manifest | None, list[ManifestProblem]]:
        self.file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        try:
            return read_manifest(self.file), []
        except ManifestError as error:
            for locale in ("en", "zh"):
                error.text(locale).encode("utf-8")
            return None, list(error.problems)


@pytest.fixture
def mutator(tmp_path: Path) -> Mutator:
    return Mutator(20, tmp_path)


def test_a_value_of_a_wrong_type_is_reported_where_it_stands(mutator: Mutator) -> None:
    wrong: dict[type, list[object]] = {
        str: [7, None, True, 1.5, [], {}, ["x"], {"x": "y"}, 10**400],
        int: [1, 3, 2.0, "2", None, True, [2], {}],
        list: ["text", {}, {"0": "x"}, 5, None, False],
        dict: ["text", [], [{}], 5, None, True],
    }
    for _ in range(5_000):
        content, keys = mutator.pick()
        at(content, keys[:-1])[keys[-1]] = mutator.random.choice(wrong[type(at(content, keys))])
        _, problems = mutator.read(content)
        assert [problem.path for problem in problems] == [written(keys)]


def test_a_key_that_is_gone_is_reported_if_it_is_required(mutator: Mutator) -> None:
    keyed = [keys for keys in mutator.places if isinstance(keys[-1], str)]
    for _ in range(1_000):
        content, keys = deepcopy(EVERYTHING), mutator.random.choice(keyed)
        del at(content, keys[:-1])[keys[-1]]
        _, problems = mutator.read(content)
        missing = [("key_missing", written(keys))] if written(keys) in REQUIRED else []
        assert [(each.code, each.path) for each in problems] == missing


def test_a_key_that_is_misspelt_is_reported_under_its_new_name(mutator: Mutator) -> None:
    optional = [keys for keys in mutator.places if isinstance(keys[-1], str) and keys[0] in ("urls", "i18n", "sdk")]
    for _ in range(1_000):
        content, keys = deepcopy(EVERYTHING), mutator.random.choice(optional)
        name = str(keys[-1]) + mutator.random.choice("abcxyz")
        part = at(content, keys[:-1])
        part[name] = part.pop(keys[-1])
        read, problems = mutator.read(content)
        assert (problems, read is not None) == ([], True)
        if read is not None:
            (warning,) = warnings_of(read, HostVersions())
            assert warning.path == written((*keys[:-1], name))
            assert str(warning.fields["nearest"]).split(".")[-1] == keys[-1]


def test_a_blank_text_is_reported_where_text_has_to_say_something(mutator: Mutator) -> None:
    texts = [keys for keys in mutator.places if isinstance(at(EVERYTHING, keys), str)]
    for _ in range(1_000):
        content, keys = deepcopy(EVERYTHING), mutator.random.choice(texts)
        at(content, keys[:-1])[keys[-1]] = ""
        _, problems = mutator.read(content)
        assert [each.path for each in problems] == ([written(keys)] if written(keys) in REFUSED_BLANK else [])


def test_changed_bytes_are_read_or_refused(mutator: Mutator) -> None:
    original = json.dumps(EVERYTHING, indent=1, ensure_ascii=False).encode()
    random = mutator.random
    outcomes = set()
    for _ in range(2_000):
        content = bytearray(original)
        for _ in range(random.randint(1, 3)):
            start = random.randrange(len(content))
            change = random.choice([b"", random.randbytes(1), b'"', b"[", b"}", b"\\ud800", b"\\u0000", b"9" * 9])
            content[start : start + random.choice([0, 1, 1, 40])] = change
        read, problems = mutator.read(bytes(content))
        outcomes.add((read is None, bool(problems)))
    assert outcomes == {(True, True), (False, False)}
