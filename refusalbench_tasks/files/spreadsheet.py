"""In transition: see sheets."""

from refusalbench_tasks.sheets import keep_filled as keep_filled
from refusalbench_tasks.sheets import plain_cell as plain_cell
from refusalbench_tasks.sheets import read_sheet_rows as read_sheet_rows
from refusalbench_tasks.sheets import sheet_csv as sheet_csv
from refusalbench_tasks.sheets import yes_or_no as yes_or_no
