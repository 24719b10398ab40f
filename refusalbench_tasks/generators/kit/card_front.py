"""The part of a data card that machines read: the front matter of the Hugging Face hub."""

from collections.abc import Mapping, Sequence

import yaml

HUB_LICENCES = ("apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


ROWS = {"rows": "rows.jsonl", "controls": "controls.jsonl"}


def front_matter(name: str, licence: str, rows: int, writers: Sequence[str], files: Mapping[str, str] = ROWS) -> str:
    """Return the YAML block at the head of a card: licence, task, size, and where the rows stand.

    `files` are the names of the parts with their files; the first one is the default.
    """
    first = next(iter(files))
    known = licence.lower() in HUB_LICENCES
    values = {
        "pretty_name": name,
        "license": licence.lower() if known else "other",
        **({} if known else {"license_name": licence}),
        "task_categories": ["question-answering"],
        "size_categories": [next((size for limit, size in _SIZES if rows < limit), "100K<n<1M")],
        "tags": ["refusalbench", "selective-refusal", "synthetic", "croissant"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "configs": [
            {"config_name": config, "default": config == first, "data_files": [{"split": "test", "path": path}]}
            for config, path in files.items()
        ],
        "writers": list(writers),
    }
    return f"---\n{yaml.safe_dump(values, sort_keys=False, allow_unicode=True)}---"
