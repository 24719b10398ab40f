"""A data set as a folder that can be uploaded, and beside it a folder for the people
who check it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.safe_writing import Content, write_folder
from refusalbench_tasks.sheets import keep_filled, sheet_csv

SHEET = "validation.csv"
KEY = "validation_key.csv"
GUIDE = "validation_guide.md"


@dataclass(frozen=True)
class PeopleSheet:
    """A blind sheet: its columns, those that people fill in, its rows, the row of each
    item, and how to fill it in.
    """

    columns: Sequence[str]
    filled: Sequence[str]
    rows: Sequence[Mapping[str, str]]
    key: Sequence[Mapping[str, str]]
    guide: str

    @property
    def files(self) -> dict[str, Content]:
        """Return the files of the sheet, by name."""
        columns = tuple(self.key[0]) if self.key else ("item", "id")
        key = sheet_csv(columns, self.key)
        return {
            SHEET: sheet_csv(self.columns, self.rows),
            KEY: key,
            GUIDE: self.guide,
        }


def people_folder(folder: Path) -> Path:
    """Return where the sheet of a data set lies: beside its folder, since sheet and key
    are not to be uploaded.
    """
    named = folder if folder.name not in ("", "..") else folder.resolve()
    return named.with_name(f"{named.name}-people")


def write_set(
    folder: Path,
    files: Mapping[str, Content],
    ours: Collection[str],
    sheet: PeopleSheet | None = None,
) -> list[Path]:
    """Write a data set and its sheet, all files of a folder or none, and return what
    was written.

    `ours` are the files of an earlier export that go if they are not written anew;
    whatever else stands in the folder stays. Raises DataError for a sheet that somebody
    has filled in, and for what the file system refuses.
    """
    people = people_folder(folder)
    written = [folder / name for name in files]
    if sheet is not None:
        keep_filled(people / SHEET, sheet.filled)
        # first, so that the data set is left alone where the sheet cannot be written
        write_folder(
            people,
            sheet.files,
            (SHEET, KEY, GUIDE),
        )
        written += (people / name for name in sheet.files)
    write_folder(folder, files, ours)
    return written
