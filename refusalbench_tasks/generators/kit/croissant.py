"""The description of an exported set in Croissant, the format of MLCommons for data sets (version 1.0)."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from typing import Any

Rows = Sequence[Mapping[str, Any]]
_TYPES = {str: "sc:Text", bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}


def croissant(name: str, description: str, licence: str, published: str, files: Mapping[str, tuple[str, Rows]]) -> str:
    """Return the metadata as JSON: each JSONL file with its hash, and the fields of its rows.

    `files` holds, by file name, the file's SHA-256 (`sha256_of`) and its rows, or one of each kind of them. Fields that
    are objects, whose keys differ from row to row, have no type in Croissant and are left out.
    """
    values = {
        "@context": json.loads(_context()),
        "@type": "sc:Dataset",
        "name": name,
        "description": description,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": licence,
        "datePublished": published,
        "version": "1.0.0",
        "distribution": [_file(path, digest) for path, (digest, _) in files.items()],
        "recordSet": [_records(path, rows) for path, (_, rows) in files.items()],
    }
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def sha256_of(text: str) -> str:
    """Return the hash of a file with this text, in hex digits."""
    return sha256(text.encode()).hexdigest()


def _context() -> str:
    folder = resources.files("refusalbench_tasks.generators") / "data"
    return (folder / "croissant_context.json").read_text(encoding="utf-8")


def _file(path: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": "application/jsonlines",
        "sha256": digest,
    }


def _records(path: str, rows: Rows) -> dict[str, Any]:
    name = path.partition(".")[0]
    named = dict.fromkeys(field for row in rows for field in row)
    kinds = {field: _kind([row[field] for row in rows if field in row]) for field in named}
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{field}",
            "name": f"{name}/{field}",
            "dataType": kind,
            **({"repeated": True} if repeated else {}),
            "source": {"fileObject": {"@id": path}, "extract": {"column": field}},
        }
        for field, (kind, repeated) in kinds.items()
        if kind
    ]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}


def _kind(values: Sequence[Any]) -> tuple[str, bool]:
    """Return the type of a field's values and whether they are lists; no type if they are objects or differ."""
    repeated = any(isinstance(value, list) for value in values)
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    kinds = {_TYPES.get(type(one), "") for one in flat} or {"sc:Text"}
    return (kinds.pop() if len(kinds) == 1 else ""), repeated
