"""The second proof of a row: reads its text back to statements and a logical form, and solves those.

It shares no frame and no code with what writes the text: only values, statements, questions and the solver.
"""

from refusalbench_tasks.worlds.reader.reading import Reading, derive, read_row
from refusalbench_tasks.worlds.reader.unreadable import Unreadable

__all__ = ["Reading", "Unreadable", "derive", "read_row"]
