"""`python -m benchmarks [NAME ...]`: run the benchmarks and print their table."""

import argparse
from importlib import import_module

from benchmarks.result import markdown

NAMES = (
    "imports",
    "overhead",
    "judge_calls",
    "resampling",
    "reply_sentences",
    "generation",
    "report",
    "worlds",
)


def _chosen() -> list[str]:
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description="Run benchmarks and print their table."
    )
    parser.add_argument(
        "name", nargs="*", help=f"one of {', '.join(NAMES)}; without a name all"
    )
    names: list[str] = parser.parse_args().name
    for name in names:
        if name not in NAMES:
            parser.error(f"no benchmark '{name}'; there are {', '.join(NAMES)}")
    return names or list(NAMES)


if __name__ == "__main__":
    print(
        markdown(
            [
                result
                for name in _chosen()
                for result in import_module(f"benchmarks.{name}").results()
            ]
        )
    )
