"""What the web gave, kept on disk: what a second run reads instead of asking again."""

from hashlib import sha256
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole

Kept = TypeVar("Kept", bound=BaseModel)


class Archive(Generic[Kept]):
    """A folder with one JSON file for each key.

    A file is written whole or not at all, and each read opens one.
    """

    def __init__(
        self,
        layout: type[Kept],
        folder: Path,
    ) -> None:
        self._layout = layout
        self._folder = folder

    def path(self, key: str) -> Path:
        """Return the file of a key."""
        name = sha256(key.encode()).hexdigest()
        return self._folder / name[:2] / f"{name}.json"

    def get(self, key: str) -> Kept | None:
        """Return what is kept under a key, or None.

        Raises DataError if the file is damaged.
        """
        path = self.path(key)
        if not path.exists():
            return None
        try:
            return self._layout.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            raise DataError(
                f"{path}: damaged; delete the file to have it fetched again"
            ) from None

    def put(
        self,
        key: str,
        value: Kept,
    ) -> None:
        """Keep a value in place of an earlier one.

        Raises DataError if it can't be written.
        """
        write_whole(self.path(key), value.model_dump_json())
