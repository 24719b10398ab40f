"""In transition: see safe_writing."""

from refusalbench_tasks.safe_writing import write_folder as write_folder
