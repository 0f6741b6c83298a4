# `make run` and `make test` are all that a new clone needs; both install what is missing first.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
# Asked in this order; a name that exists may still be too old, or a shim of a version manager that leads nowhere.
PYTHON ?= python3 python3.11 python3.12 python3.13 python3.14
PORT ?= 8000
export PORT

# What `check --deploy` is told, so that it judges a production deployment and not this machine.
PRODUCTION := INFINI_HTTPS=1 INFINI_DEBUG=0 INFINI_ALLOWED_HOSTS=memory.example.com \
	INFINI_SECRET_KEY=check-only-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLM \
	DATABASE_URL=sqlite:///var/check.sqlite3 CELERY_BROKER_URL=redis://127.0.0.1:6379/0

.PHONY: help install run test check format e2e screenshots bench messages static adapters crewai

help:
	@echo "make run      install, prepare the database and start the server at http://127.0.0.1:$(PORT)"
	@echo "make test     the tests, on SQLite or on DATABASE_URL, with CELERY_BROKER_URL if set"
	@echo "make check    style, types, import contracts, deployment check, migrations, translations, templates"
	@echo "make e2e      the browser tests (needs chromium)"
	@echo "make adapters the client inside the frameworks of agents, against a running server"
	@echo "make crewai   the same for CrewAI"
	@echo "make screenshots pictures of every page into var/screenshots (ARGS='FOLDER --only PAGE …')"
	@echo "make bench    kill workers at random and look for what was lost (ARGS='--database URL --broker URL')"
	@echo "make format   let ruff and djlint rewrite the files"
	@echo "make messages collect the translatable texts and compile the translations"

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(BIN)/python -m pip --version >/dev/null 2>&1 && exit; for python in $(PYTHON); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
			&& exec "$$python" -m venv --clear $(VENV); \
	done; echo "Python 3.11 or newer is needed; tried: $(PYTHON). Set PYTHON=/path/to/python3.11." >&2; exit 1
	@echo "Installing into $(VENV), which takes a minute or two"
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

var/secret_key: | install
	@mkdir -p var
	@umask 077 && $(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))' > $@

static: install
	@$(BIN)/python manage.py collectstatic --noinput --verbosity 0

run: install var/secret_key static
	@echo "Preparing the database"
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py load_example
	@exec $(BIN)/python manage.py serve

test: install
	$(BIN)/python -m pytest -n auto -q -m "not browser" $(ARGS)

adapters: install .venv-adapters/.installed
	.venv-adapters/bin/python -m pytest -q -c tests/adapters/pytest.ini --ignore tests/adapters/crews tests/adapters $(ARGS)

crewai: install .venv-crewai/.installed
	.venv-crewai/bin/python -m pytest -q -c tests/adapters/pytest.ini tests/adapters/crews $(ARGS)

# Frameworks have environments of their own, named as the constraints and the extra that they are made from.
.venv-adapters/.installed .venv-crewai/.installed: .venv-%/.installed: clients/python/pyproject.toml clients/python/constraints-%.txt | install
	@echo "Installing into .venv-$*, which takes a minute or two"
	@$(BIN)/python -m venv --clear .venv-$*
	@.venv-$*/bin/python -m pip install --quiet --no-compile --disable-pip-version-check \
		--constraint clients/python/constraints-$*.txt --editable './clients/python[test-$*]'
	@touch $@

e2e: install
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m browser tests/browser $(ARGS)

screenshots: install
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(PRODUCTION) $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check_translations
	$(BIN)/djlint --lint --quiet templates

format: install
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .
	$(BIN)/djlint --reformat --quiet templates

messages: install
	$(PRODUCTION) $(BIN)/python manage.py check_translations --update

bench: install
	$(BIN)/python benchmarks/crash.py $(ARGS)
