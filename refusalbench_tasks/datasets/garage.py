"""The data of RefusalBench-GaRAGe."""

from refusalbench_tasks.datasets.garage_rows import controls_of, items_of
from refusalbench_tasks.datasets.loading import Benchmark

GARAGE = Benchmark(
    name="RefusalBench-GaRAGe",
    repo="aashiqmuhamed/RefusalBench-GaRAGe",
    split="test",
    licence="CC-BY-NC-4.0",
    sample="garage_sample.jsonl",
    items_of=items_of,
    controls_of=controls_of,
)
