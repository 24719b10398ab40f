"""In transition: see safe_writing."""

from refusalbench_tasks.safe_writing import jsonl as jsonl
from refusalbench_tasks.safe_writing import not_an_input as not_an_input
from refusalbench_tasks.safe_writing import write_rows as write_jsonl
from refusalbench_tasks.safe_writing import write_whole as write_whole

__all__ = ["jsonl", "not_an_input", "write_jsonl", "write_whole"]
