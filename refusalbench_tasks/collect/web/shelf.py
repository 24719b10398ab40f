"""Articles that lie in a temporary file, and are read from it one at a time."""

import json
import tempfile
import weakref
from array import array
from dataclasses import astuple

from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.errors import DataError


class Shelf:
    """Articles in the order in which they were put down; in memory is where each begins, eight bytes.

    The file has no name and is gone with the shelf. It lies where the system keeps temporary files (`TMPDIR`). Raises
    DataError where it can't be written or read.
    """

    def __init__(self) -> None:
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the shelf is there)
        except OSError as error:
            raise _closed(error) from None
        self._begins = array("q")
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self._begins)

    def put(self, article: Article) -> int:
        """Put an article down, and return its position."""
        try:
            begin = self._file.seek(0, 2)
            self._file.write(json.dumps(astuple(article)).encode() + b"\n")
        except OSError as error:
            raise _closed(error) from None
        self._begins.append(begin)
        return len(self) - 1

    def __getitem__(self, position: int) -> Article:
        """Return the article at a position."""
        try:
            self._file.seek(self._begins[position])
            return Article(*json.loads(self._file.readline()))
        except OSError as error:
            raise _closed(error) from None


def _closed(error: OSError) -> DataError:
    return DataError(f"search=corpus: no room for temporary files ({error.strerror}); set TMPDIR to a larger folder")
