PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_LOGS ?= logs/demo
DEMO_OWN ?= logs/demo-own
REAL_LOGS ?= logs/real
NQ_OFFLINE := refusalbench_tasks/nq --model none -T data=sample -T judge=offline --display plain --no-score-display

.PHONY: demo demo-own test test-slow test-real test-rl test-lm-eval test-newest coverage check real bench docs screenshots pins lock clean

# RefusalBench-NQ on the bundled rows: recorded replies of three real models, and a baseline that always refuses.
demo: $(READY)
	rm -rf $(DEMO_LOGS)
	@$(BIN)/inspect eval $(NQ_OFFLINE) --solver refusalbench_tasks/always_refuse --log-dir $(DEMO_LOGS) > /dev/null
	@for model in smollm2-135m qwen2.5-coder-0.5b qwen2.5-coder-1.5b; do \
	  $(BIN)/inspect eval $(NQ_OFFLINE) --solver refusalbench_tasks/replay -S replies=examples/replies/$$model-nq.jsonl \
	    -S name=$$model --log-dir $(DEMO_LOGS) > /dev/null || exit 1; \
	done
	@$(BIN)/refusalbench show $(DEMO_LOGS)
	@$(BIN)/refusalbench report $(DEMO_LOGS) -o $(DEMO_LOGS)/report --title "Three small models on the bundled rows"
	@echo
	@echo "The logs are in $(DEMO_LOGS). Look at them with: $(BIN)/inspect view --log-dir $(DEMO_LOGS)"

# The walk-through of docs/own-system.md, offline: an invented firm, a small assistant, scripted models.
demo-own: $(READY)
	rm -rf $(DEMO_OWN)
	@$(BIN)/python -m examples.walk_through $(DEMO_OWN)

# What is compiled is kept, even where the environment forbids it, as containers do: each worker saves ten seconds.
test: $(READY)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest

# Long simulations and the same at full size, which `make test` leaves out.
test-slow: $(READY)
	$(BIN)/python -m pytest -m slow

# Tests that need the weights of `make real`; they are skipped where those are not.
test-real: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group real
	$(BIN)/python -m pytest -m real -n 0

# The tests with the lines that they reach; `coverage report` prints them again.
coverage: $(READY)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --cov refusalbench_tasks --cov-report term:skip-covered

# The tests of the extra `rl`, with its library, which they are skipped without.
test-rl: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[rl]'
	rm -rf refusalbench_tasks.egg-info
	$(BIN)/python -c 'import verifiers.v1'
	$(BIN)/python -m pytest tests/worlds

# The tests of the tasks for lm-evaluation-harness, with the harness, which some of them are skipped without.
test-lm-eval: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group lm-eval
	$(BIN)/python -c 'import lm_eval'
	$(BIN)/python -m pytest tests/lm_eval -n 0

# The tests with the newest inspect-ai, which replaces the locked one in this environment.
test-newest: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade inspect-ai
	$(BIN)/python -m pip show inspect-ai
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --no-cache --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/inspect-evals-lint refusalbench_tasks

# Three small open models on the bundled rows, on this machine's processor; run again, it goes on where it stopped.
# REAL_MODELS=DIR takes the weights from a folder, QUICK=1 runs one model on 24 rows.
real: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group real
	$(BIN)/python -m benchmarks.real $(REAL_LOGS) $(if $(REAL_MODELS),--models $(REAL_MODELS)) $(if $(QUICK),--quick)
	$(BIN)/refusalbench show $(REAL_LOGS)

bench: $(READY)
	$(BIN)/python -m benchmarks

# The documentation site, in site/: every link is checked, and it opens without a network.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs --constraint requirements.lock
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in site/: open site/index.html"

# The pictures of docs/images anew; this needs Chromium on the PATH.
screenshots: $(READY)
	$(BIN)/python -m benchmarks.screenshots

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	# what the build leaves in the root hides from Inspect that the install is editable
	rm -rf refusalbench_tasks.egg-info
	touch $(READY)

# Pin the hub sets at their present commits, in the package; this needs the network.
pins: $(READY)
	$(BIN)/python -m benchmarks.pins

# Resolve the development environment anew; without `rl`, whose tests are skipped where it is not installed.
lock: EXTRAS = pytest report documents endpoint web search cluster
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev $(EXTRAS:%=--extra %) --universal --python-version 3.11 --no-header --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache
