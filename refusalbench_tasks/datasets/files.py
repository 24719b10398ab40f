"""In transition: see rows."""

from refusalbench_tasks.datasets.rows import BUNDLED_LICENCE as BUNDLED_LICENCE
from refusalbench_tasks.datasets.rows import Row as Row
from refusalbench_tasks.datasets.rows import bundled_rows as bundled_rows
from refusalbench_tasks.datasets.rows import read_rows as read_rows
from refusalbench_tasks.datasets.rows import row_of as row_of
