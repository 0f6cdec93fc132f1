# Everything happens in .venv, built with $(PYTHON); any other Python >= 3.11: make demo PYTHON=python3.12
#
#   make demo       score the example file with the command line
#   make test       run the Python tests on all cores (pass options on: make test PYTEST="-k auc -x"; fewer: make test JOBS=1)
#   make quick      build for those who change the code: seconds after a change, kernels up to twice as slow. Then run
#                   .venv/bin/pytest on the tests that matter
#   make rust       run the Rust tests, which need no Python
#   make thorough   the long forms of tests that draw at random, 200,000 calls against scikit-learn among them, and
#                   docs/coverage.md: for hours, not for every change
#   make pieces     the Python tests with chunks of 7 rows, buckets of 16 and 3 threads, so that they cross every border
#                   between pieces (20 minutes)
#   make lint       formatting, clippy, ruff, mypy, stubs
#   make fuzz       look for inputs that break the core (nightly Rust and cargo-fuzz; one target: make fuzz FUZZ=bytes;
#                   seconds for each: make fuzz FUZZ_SECONDS=3600; many more inputs a second, but bytes read outside are
#                   not seen: make fuzz FUZZ_OPTIONS="--sanitizer none --no-trace-compares")
#   make docs       the Rust documentation, warnings as errors
#   make reference  docs/indices/, docs/charts.md, docs/names-elsewhere.md, docs/interval-methods.md and docs/pycm.md, from the registry;
#                   docs/questions.md, from the statistics; README's rows of speed, from docs/speed.md
#   make site       the site of the documentation, into output/site, warnings as errors; then its tests
#   make paper-NAME a paper of examples/, into output/NAME: balanced_accuracy, threshold_grid,
#                   accuracy_mcc_confusion_entropy or roc_gain_lift_ks (options: make paper-roc_gain_lift_ks PAPER="--rows 10000000")
#   make audit      licences, sources and known vulnerabilities of the dependencies; the workflows; the stable ABI, the bill
#                   of materials and the citation. It needs cargo-deny (cargo install cargo-deny --locked). Where the list of
#                   vulnerabilities cannot be fetched: make audit DENY="bans licenses sources"
#   make bench      the table of speeds against rivals and floors (some minutes; quick: make bench BENCH=--quick)
#   make limits     the table of docs/limits.md: each kernel beside its floor, at every size (a quarter of an hour)
#   make instructions  the instructions of some kernels under valgrind, beside those that are kept (keep them anew:
#                   make instructions INSTRUCTIONS=--write)
#   make clean      remove what the others made
#
# The package is built and installed again only when a source file is newer than the last installation.

PYTHON ?= python3
PYTEST ?=
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
BENCH ?=
LIMITS ?=
INSTRUCTIONS ?=
FUZZ ?= bytes formulas labels scores classes indices states curves arrow
FUZZ_SECONDS ?= 600
FUZZ_OPTIONS ?=
PAPER ?=
DENY ?= advisories bans licenses sources
# As in pyproject.toml.
MATURIN := maturin>=1.16,<2

VENV := .venv
BIN := $(VENV)/bin
# Says how far a long command is.
TALK := @$(PYTHON) .ci/talk
# One interpreter for every build of the crate, so that cargo never builds pyo3 twice.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

PAPERS := $(addprefix paper-,balanced_accuracy threshold_grid accuracy_mcc_confusion_entropy roc_gain_lift_ks)

SOURCES := pyproject.toml README.md $(wildcard Cargo.*) \
	$(shell find src python -type f \( -name '*.rs' -o -name 'Cargo.toml' -o -name '*.py' -o -name '*.pyi' -o -name 'py.typed' -o -path '*/assets/*' \))

.PHONY: demo test quick rust thorough pieces fuzz lint docs reference site $(PAPERS) audit bench limits instructions clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.has-cli
	$(BIN)/rocksteady score examples/rocr_simple.csv --label label --score score
	@echo "Next: your own file instead of examples/rocr_simple.csv; a page of charts with --html report.html; README.md for Python."

# What looks at the clock or fills memory runs alone. pytest's 5 says that no test was selected: one of both may say so.
test: $(VENV)/.has-test
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not alone" $(PYTEST); first=$$?; \
	[ $$first -eq 0 ] || [ $$first -eq 5 ] || exit $$first; \
	$(BIN)/python -m pytest -m alone $(PYTEST); second=$$?; \
	[ $$second -eq 5 ] && exit $$first; exit $$second

# The stamps go, so that what needs the wheel installs it again.
quick: $(BIN)/maturin
	rm -f $(VENV)/.has-*
	$(TALK) "building for development" 130 $(BIN)/maturin develop --profile quick

# The crate that only names both others has no tests. The examples of the documentation link the crates as they are built
# without optimization, which takes seconds.
rust:
	cargo test --no-default-features --lib -p rocksteady-count -p rocksteady-derive
	cargo test --no-default-features --doc --workspace --profile dev

thorough: $(VENV)/.has-test
	$(BIN)/python docs/coverage.py
	ROCKSTEADY_THOROUGH=1 ROCKSTEADY_CALLS=200000 HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest $(PYTEST)
	PROPTEST_CASES=10000 cargo test --no-default-features --lib -p rocksteady-count -p rocksteady-derive

# Memory and time of tiny pieces say nothing.
pieces: $(VENV)/.has-test
	RUSTFLAGS="--cfg fuzzing" CARGO_TARGET_DIR=target/pieces cargo build --profile quick --features python
	rm -rf target/pieces/python
	cp -r python target/pieces/python
	cp target/pieces/quick/librocksteady.so target/pieces/python/rocksteady/_rocksteady.abi3.so
	ROCKSTEADY_NUM_THREADS=3 PYTHONPATH="$(CURDIR)/target/pieces/python" $(BIN)/python -m pytest -n 2 --dist worksteal \
		-m "not alone" -k "not ten_million and not little_memory and not memory_is_kept and not memory_that_is_kept and not large_allocation" \
		-W "ignore:rocksteady was built:RuntimeWarning" $(PYTEST)

# What is found beyond corpus/ stays in fuzz/found, and inputs that break something in fuzz/artifacts.
fuzz:
	for target in $(FUZZ); do \
		mkdir -p fuzz/found/$$target && \
		cargo +nightly fuzz run $(FUZZ_OPTIONS) $$target fuzz/found/$$target fuzz/corpus/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -max_len=1024 -entropic=0 -print_funcs=0 || exit 1; \
	done

lint: $(VENV)/.has-dev
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --no-default-features -- -D warnings
	cargo clippy --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest rocksteady._rocksteady

docs: $(BIN)/python
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace

reference: $(VENV)/.has-test
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/questions.py
	$(BIN)/python docs/intervals.py
	$(BIN)/python docs/pycm_names.py
	$(BIN)/python docs/speed.py

# From scratch: a page whose source is gone would stay otherwise.
site: $(VENV)/.has-site
	rm -rf output/site output/doctrees docs/index.md docs/_api docs/_project docs/gallery
	$(BIN)/python -m sphinx -W --keep-going --quiet -j auto -d output/doctrees docs output/site
	ROCKSTEADY_NEEDS_SITE=1 $(BIN)/python -m pytest --quiet tests/house/test_site.py

$(PAPERS): paper-%: $(VENV)/.has-test
	$(BIN)/python examples/$*.py $(PAPER)

audit: $(VENV)/.has-audit
	@command -v cargo-deny >/dev/null || { echo "make audit needs cargo-deny; get it with: cargo install cargo-deny --locked" >&2; exit 1; }
	cargo deny check $(DENY)
	$(BIN)/zizmor --quiet --offline --persona=auditor .github/workflows
	$(BIN)/cffconvert --validate
	rm -rf dist/audit
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist/audit .
	$(BIN)/abi3audit --strict --summary dist/audit/*-abi3-*.whl
	$(BIN)/python -m zipfile -l dist/audit/*.whl | grep "dist-info/sboms/"

bench: $(VENV)/.has-bench
	$(BIN)/python benches/ratios.py $(BENCH)

limits: $(VENV)/.has-bench
	$(BIN)/python benches/limits.py $(LIMITS)

instructions: $(VENV)/.has-test
	@command -v valgrind >/dev/null || { echo "make instructions needs valgrind (on Debian: apt-get install valgrind)" >&2; exit 1; }
	$(BIN)/python benches/instructions.py $(INSTRUCTIONS)

clean:
	rm -rf docs/index.md docs/_api docs/_project docs/gallery
	rm -rf $(VENV) target dist output .pytest_cache .mypy_cache .ruff_cache .benchmarks .hypothesis

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "rocksteady needs Python 3.11 or newer, and there is no $(PYTHON); name another with: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "rocksteady needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V 2>&1 | cut -d" " -f2); name another with: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "rocksteady needs Python's venv module (on Debian: apt-get install python3-venv)" >&2; exit 1; }

$(BIN)/maturin: | $(BIN)/python
	$(BIN)/python -m pip install --quiet '$(MATURIN)'

# The wheel. cargo compiles in target/, where what did not change is used again.
$(VENV)/.wheel: $(SOURCES) | $(BIN)/maturin
	@command -v cargo >/dev/null || { echo "rocksteady is built from source with Rust, and there is no cargo; get it from https://rustup.rs" >&2; exit 1; }
	@rm -rf target/wheels
	$(TALK) "building rocksteady" 100 $(BIN)/maturin build --release --auditwheel skip --interpreter $(BIN)/python --out target/wheels
	@touch $@

# One stamp per extra. pip leaves a version that is installed as it is, so the package is replaced first.
SECONDS_cli := 15
SECONDS_test := 70
$(VENV)/.has-%: $(VENV)/.wheel
	@$(BIN)/python -m pip install --quiet --force-reinstall --no-deps target/wheels/*.whl
	$(TALK) "installing what [$*] in pyproject.toml lists" $(or $(SECONDS_$*),30) \
		$(BIN)/python -m pip install --quiet --no-compile "$$(echo target/wheels/*.whl)[$*]"
	@touch $@
