"""`python -m benchmarks.mutants [N|all] [SEED]`: which small changes of the pure layer its own tests notice.

mutmut makes the mutants and runs the tests. Which files are changed, and by whose tests a change has to be noticed, is
in `[tool.mutmut]` of pyproject.toml. Here a seeded sample of the mutants is drawn and counted by file.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.stats.proportion import wilson

ROOT = Path(__file__).parents[1]
WORK = ROOT / "mutants"
GOAL = 0.85
NOTICED = {1, 3, 24, -24, 36, 152, 255}
"""Exit codes of mutmut's workers: a test failed, pytest broke, or the time ran out. Without a test a mutant lives."""


@dataclass(frozen=True)
class Tally:
    """The mutants of one file that were noticed, and those that were tried."""

    file: str
    killed: int
    n: int


def tally(exits: Mapping[str, Mapping[str, int | None]]) -> list[Tally]:
    """Return the counts of each file from its mutants' exit codes (None: not tried), the files in order."""
    tried = {file: [code for code in codes.values() if code is not None] for file, codes in exits.items()}
    return [Tally(file, sum(c in NOTICED for c in codes), len(codes)) for file, codes in sorted(tried.items()) if codes]


def table(tallies: Sequence[Tally]) -> str:
    """Return the counts as text, the sum with the Wilson interval of the share killed at the end."""
    killed, n = sum(one.killed for one in tallies), sum(one.n for one in tallies)
    low, high = wilson(killed, n)
    lines = [f"{one.killed:5d} of {one.n:4d}  {one.killed / one.n:6.1%}  {one.file}" for one in tallies]
    return "\n".join([*lines, f"{killed:5d} of {n:4d}  {killed / n:6.1%}  killed [{low:.1%}, {high:.1%}]"])


def is_enough(tallies: Sequence[Tally]) -> bool:
    """Whether at least the goal's share was killed; never without a mutant."""
    n = sum(one.n for one in tallies)
    return n > 0 and sum(one.killed for one in tallies) >= GOAL * n


def draw(names: Sequence[str], n: int, seed: int) -> list[str]:
    """Return n of the names (all, if there are no more), drawn by the seed."""
    return sorted(random.Random(seed).sample(sorted(names), min(n, len(names))))


def mutant_names() -> list[str]:
    """Return the names of all mutants. Reads the configuration in the working directory."""
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.file_utils import walk_mutatable_files
    from mutmut.utils.format_utils import get_mutant_name

    files = {path: path.read_text(encoding="utf-8") for path in walk_mutatable_files()}
    made = {path: mutate_file_contents(str(path), text).mutant_names for path, text in files.items()}
    return [get_mutant_name(path, name) for path, names in made.items() for name in names]


def main(n: str = "600", seed: str = "0") -> int:
    """Try mutants and print the table; return 1 below the goal."""
    os.chdir(ROOT)
    shutil.rmtree(WORK, ignore_errors=True)
    chosen = [] if n == "all" else draw(mutant_names(), int(n), int(seed))
    command = [str(Path(sys.executable).parent / "mutmut"), "run", *chosen]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        print(done.stdout[-4000:])
        return done.returncode
    exits = {
        str(path.relative_to(WORK)).removesuffix(".meta"): json.loads(path.read_text())["exit_code_by_key"]
        for path in WORK.rglob("*.meta")
    }
    tallies = tally(exits)
    print(table(tallies) if tallies else "no mutant was tried")
    print("Survivors: mutmut results; one of them: mutmut show NAME")
    return 0 if is_enough(tallies) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
