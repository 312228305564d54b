# make run    the whole site at http://localhost:8000/ (PORT, DATA_DIR ... : see README.md)
# make test   the whole suite, browsers included (TESTS="-k name" for some of it)
# make thorough  the same with the full numbers of every sweep: ten times as many games, deals, options
# make lint   style, types, import layers, migrations, what may not be in the repository
# make bench  how fast it is, in five minutes (BENCH=--quick for some of it)
# make bench-bots  how strong the bots are and how fast they think, in half an hour (BENCH=--quick: a minute)
# make decks  whether a million shuffled decks are even, in a minute or two
# make pins   compile requirements.txt anew from pyproject.toml

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# Python compiles what it imports when it does: a tenth of what is installed.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
TESTS ?=
# Three for two cores: those with browsers and processes wait a third of their time.
WORKERS ?= 3
BENCH ?=

.PHONY: run test thorough chromium lint bench bench-bots decks pins
.DELETE_ON_ERROR:
# A site is five processes: they need not compile it anew each time they start.
unexport PYTHONDONTWRITEBYTECODE

run: .venv/run.stamp
	@exec $(BIN)/python -m euchre_site.run

test: .venv/test.stamp chromium
	$(BIN)/python -m pytest -q -n $(WORKERS) $(TESTS)

thorough: export THOROUGH = 1
thorough: test

# The shell is the same without windows, which cost a test more than its pages; not every system has it by itself.
chromium:
	@command -v chromium-headless-shell >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
		{ apt-get update -qq; export DEBIAN_FRONTEND=noninteractive; \
		apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
		apt-get install -y -qq --no-install-recommends chromium >/dev/null; }

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy games/engine games/bots games/ratings.py games/fairness.py games/chance.py games/rulebook.py games/services tournaments/formats tournaments/standings.py tournaments/seasons.py tournaments/recurrence.py tournaments/playbook tournaments/services
	$(BIN)/lint-imports
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py makemigrations --check --dry-run
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m euchre_site.translations check
	$(BIN)/python -m tests.tree

bench: .venv/bench.stamp
	$(BIN)/python -m tests.bench $(BENCH)

bench-bots: .venv/bench.stamp
	nice $(BIN)/python -m tests.bench.bots $(BENCH)

decks: .venv/test.stamp
	$(BIN)/python -m tests.bench.decks

pins: .venv/test.stamp
	$(BIN)/pip-compile --quiet --upgrade --all-extras --strip-extras --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file requirements.txt pyproject.toml

.venv/bin/python:
	@echo "Making .venv; the first start takes a minute or two."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: set PYTHON to it.")'
	@$(PYTHON) -m venv .venv

# Each needs a part of the pins: the site, the suite, the comparisons of the benchmarks.
EXTRAS = $(BIN)/python -c 'import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	extras = project["optional-dependencies"]; \
	print(*project["dependencies"], *(pin for extra in sys.argv[1:] for pin in extras[extra]), sep="\n")'
INSTALL = @$(EXTRAS) $(1) > .venv/wanted.txt && $(PIP) --constraint requirements.txt --requirement .venv/wanted.txt && touch $@

.venv/run.stamp: requirements.txt | .venv/bin/python
	$(call INSTALL,fast)

.venv/test.stamp: requirements.txt | .venv/bin/python
	$(call INSTALL,test lint)
	@touch .venv/run.stamp

.venv/bench.stamp: requirements.txt .venv/test.stamp
	$(call INSTALL,test lint bench)
