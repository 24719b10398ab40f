#!/usr/bin/env bash
# Build the wheel, install it into an empty environment, and run a task and a command from another folder.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf dist build
python3 -m venv build/venv
build/venv/bin/pip install --quiet build
build/venv/bin/python -m build --outdir dist .
python3 -m venv --clear build/empty
build/empty/bin/pip install --quiet dist/*.whl
bin=$PWD/build/empty/bin
cd "$(mktemp -d)"
"$bin/inspect" eval refusalbench_tasks/nq --model none --solver refusalbench_tasks/oracle \
  -T data=sample -T judge=offline --display plain --log-dir logs
"$bin/refusalbench" show logs
