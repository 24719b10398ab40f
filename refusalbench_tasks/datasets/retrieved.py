"""In transition: see solvers.retrieved."""

from refusalbench_tasks.solvers.retrieved import record_retrieved as record_retrieved
from refusalbench_tasks.solvers.retrieved import retrieval_notes as retrieval_notes
from refusalbench_tasks.solvers.retrieved import retrieved_of as retrieved_of
from refusalbench_tasks.solvers.retrieved import seen_item as seen_item
from refusalbench_tasks.solvers.retrieved import seen_notes as seen_notes
