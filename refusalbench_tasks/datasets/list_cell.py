"""A list in one cell of a table, as other programs write it."""

import ast
import re
import warnings

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.documents import json_value, lone_surrogate

LONGEST = 1_000_000
_LITERAL = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|-?\d{1,18}(?:\.\d{1,18})?|None)"""
_PYTHON_LIST = re.compile(rf"\s*\[\s*(?:{_LITERAL}\s*(?:,\s*{_LITERAL}\s*)*(?:,\s*)?)?\]\s*")
_MEANT_AS_LIST = re.compile(r"""\s*\[\s*(?:['"\[{]|-?\d[\d\s.,-]*\]\s*$)""")


def list_in(cell: str) -> list[object] | None:
    """Return the list that a text stands for: a JSON array, or a Python list of texts and numbers as pandas writes it.

    None for any other text, "[1] It was so" and "[sic]" included. Raises ValueError for what is meant as a list and
    cannot be read as one (not closed, without commas, too deep, longer than a million characters): as one text it
    would be a wrong answer. Python's form is checked by a pattern and then read as literals; nothing is executed.
    """
    if not cell.lstrip().startswith("["):
        return None
    if len(cell) > LONGEST:
        raise ValueError(f"a list of more than {LONGEST:,} characters")
    try:
        made = json_value(cell, "cell")
    except DataError:
        made = _python_list(cell)
    if made is None and _MEANT_AS_LIST.match(cell):
        raise ValueError('begins as a list and cannot be read as one; write ["one", "two"]')
    if lone_surrogate(made):
        raise ValueError("half of a surrogate pair; repair the text")
    return made if isinstance(made, list) else None


def _python_list(cell: str) -> object:
    if not _PYTHON_LIST.fullmatch(cell):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in outside text
            return ast.literal_eval(cell.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
