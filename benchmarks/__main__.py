"""`python -m benchmarks [NAME ...]`: run the benchmarks and print their table."""

import sys
from importlib import import_module

from benchmarks.result import markdown

NAMES = (
    "overhead",
    "latency",
    "judge_calls",
    "resampling",
    "matching",
    "matcher_quality",
    "reply_sentences",
    "generation",
    "generation_price",
    "generation_reading",
    "report",
    "page",
    "worlds",
    "rewards",
    "documents",
    "collecting",
    "recorded",
)

if __name__ == "__main__":
    chosen = sys.argv[1:] or NAMES
    print(markdown([result for name in chosen for result in import_module(f"benchmarks.{name}").results()]))
