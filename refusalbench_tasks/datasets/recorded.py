"""In transition: see solvers.recorded."""

from refusalbench_tasks.solvers.recorded import Matched as Matched
from refusalbench_tasks.solvers.recorded import has_no_reply as has_no_reply
from refusalbench_tasks.solvers.recorded import match as match
