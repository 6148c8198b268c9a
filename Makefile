# Each target makes what it needs: a virtual environment in .venv, with pinned dependencies.
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=

.PHONY: run test lint types bench soak clean

run: .venv/.run
	$(BIN)/maibot-host run $(ARGS)

test: lint types
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types: .venv/.dev
	$(BIN)/mypy

bench: .venv/.dev
	$(BIN)/python -m benchmarks $(ARGS)

soak: .venv/.dev
	$(BIN)/python -m benchmarks.soak

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/.run: .venv/.made requirements.txt pyproject.toml
	$(BIN)/python -m pip install -q -r requirements.txt
	$(BIN)/python -m pip install -q --no-deps -e .
	touch $@

.venv/.dev: .venv/.run requirements-dev.txt
	$(BIN)/python -m pip install -q -r requirements-dev.txt
	touch $@
