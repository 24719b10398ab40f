"""The data of RefusalBench-NQ."""

from refusalbench_tasks.datasets.loading import Benchmark
from refusalbench_tasks.datasets.nq_rows import controls_of, items_of

NQ = Benchmark(
    name="RefusalBench-NQ",
    repo="aashiqmuhamed/RefusalBench-NQ",
    split="test",
    licence="Apache-2.0",
    sample="nq_sample.jsonl",
    items_of=items_of,
    controls_of=controls_of,
)
