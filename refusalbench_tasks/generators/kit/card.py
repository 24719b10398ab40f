"""The data card of an exported set, and its description in Croissant: one template for every pipeline."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import resources
from typing import Any

import yaml
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig

from refusalbench_tasks.tables import Table, TableRow

HUB_LICENCES = ("apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_APART = ("prompts", "own_levers", "fit")
"""Settings in a log that are no line of their own."""
_NOBODY = "Nobody has checked these rows: labels follow from the plan, and models wrote and verified them."
Rows = Sequence[Mapping[str, Any]]
_TYPES = {str: "sc:Text", bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}


@dataclass(frozen=True)
class DataCard:
    """What a card says. `files` are the parts of the set by name, the first one the default.

    `runs` are the headers of the logs that it was made of: provenance, prompts and price come from them. `people` is
    what those found who checked rows, in Markdown.
    """

    name: str
    about: str
    licence: str
    rows: int
    files: Mapping[str, str]
    runs: Sequence[EvalLog]
    settings: Mapping[str, Any]
    sections: Sequence[tuple[str, Sequence[str]]] = ()
    people: str = ""
    language: Sequence[str] = ("en",)
    limits: str = ""
    writers: Sequence[str] = field(default=())

    def markdown(self) -> str:
        """Return the card: front matter, licence, provenance, what the pipeline says, people, price, limits."""
        own = [part for title, paragraphs in self.sections for part in (f"## {title}", *paragraphs)]
        parts = [
            self._front_matter(),
            "# Data card",
            self.about,
            f"**Licence: {self.licence}**. Language: {', '.join(self.language)}.",
            "## Provenance",
            *(bullets(run_lines(run)) for run in self.runs),
            "The export:",
            bullets([f"{name}: {value}" for name, value in self.settings.items()]),
            *own,
            "## Checked by people",
            self.people or _NOBODY,
            "## Price",
            "Tokens as billed, and their cost where a run knew prices:",
            table(usage(self.runs)) or "Not noted.",
            "## Limits",
            f"Questions and texts were written and verified by models; models of one family share blind spots. "
            f"{self.limits}".strip(),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _front_matter(self) -> str:
        known = self.licence.lower() in HUB_LICENCES
        first = next(iter(self.files))
        values = {
            "pretty_name": self.name,
            "language": list(self.language),
            "license": self.licence.lower() if known else "other",
            **({} if known else {"license_name": self.licence}),
            "task_categories": ["question-answering"],
            "size_categories": [next((size for limit, size in _SIZES if self.rows < limit), "100K<n<1M")],
            "tags": ["refusalbench", "selective-refusal", "synthetic", "croissant"],
            "annotations_creators": ["machine-generated"],
            "language_creators": ["machine-generated"],
            "configs": [
                {"config_name": name, "default": name == first, "data_files": [{"split": "test", "path": path}]}
                for name, path in self.files.items()
            ],
            "writers": sorted(self.writers or {run.eval.model for run in self.runs}),
        }
        return f"---\n{yaml.safe_dump(values, sort_keys=False, allow_unicode=True)}---"


def run_lines(header: EvalLog) -> list[str]:
    """Return what a run was made by, a line each: models, settings, prompts' digests, versions."""
    facts, arguments = header.eval.metadata or {}, header.eval.task_args or {}
    told = {name: value for name, value in (facts | arguments).items() if name not in _APART}
    revision, versions = header.eval.revision, {**header.eval.packages, "task": header.eval.task_version}
    if revision:
        versions["commit"] = f"{revision.commit}{' (changed)' if getattr(revision, 'dirty', False) else ''}"
    prompts = facts.get("prompts") or {}
    return [
        f"writer `{header.eval.model}` ({_config(header.plan.config)}), {header.eval.created[:10]}",
        *(f"{role}: {'; '.join(_bound(bound))}" for role, bound in sorted((header.eval.model_roles or {}).items())),
        "settings: " + ", ".join(f"{name} {_brief(value)}" for name, value in told.items()),
        "prompts, sha256: " + (", ".join(f"{name} `{digest}`" for name, digest in prompts.items()) or "not noted"),
        "versions: " + ", ".join(f"{name} {value}" for name, value in versions.items()),
    ]


def usage(runs: Sequence[EvalLog]) -> list[TableRow]:
    """Return the tokens that each model was billed for over all runs, as the logs count them.

    With their cost in dollars where a log notes any; NaN for a model of which one log does not.
    """
    rows: dict[str, dict[str, float | int]] = {}
    priced = any(used.total_cost is not None for run in runs for used in run.stats.model_usage.values())
    for run in runs:
        for model, used in run.stats.model_usage.items():
            counts = {
                "input": used.input_tokens,
                "cache read": used.input_tokens_cache_read or 0,
                "cache write": used.input_tokens_cache_write or 0,
                "output": used.output_tokens,
                **({"cost ($)": math.nan if used.total_cost is None else used.total_cost} if priced else {}),
            }
            row = rows.setdefault(model, dict.fromkeys(counts, 0))
            for name, n in counts.items():
                row[name] += n
    return [{"model": model, **counts} for model, counts in sorted(rows.items())]


def bullets(lines: Sequence[str]) -> str:
    """Return a list with one line an entry."""
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def table(rows: Sequence[TableRow]) -> str:
    """Return a table in Markdown, without a title; no text if it has no rows."""
    return Table("", "", rows).as_markdown().rstrip()


def _bound(bound: Any) -> list[str]:
    models: Sequence[ModelConfig] = bound if isinstance(bound, list) else [bound]
    return [f"`{model.model}` ({_config(model.config)})" for model in models]


def _config(config: GenerateConfig) -> str:
    given = config.model_dump(exclude_none=True, mode="json")
    return ", ".join(f"{name} {value}" for name, value in given.items()) or "default settings"


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def croissant(name: str, about: str, licence: str, published: str, files: Mapping[str, tuple[str, Rows]]) -> str:
    """Return the description in Croissant 1.0 (MLCommons) as JSON: each JSONL file with its hash and its fields.

    `files` holds, by file name, the file's SHA-256 (`sha256_of`) and its rows, or one of each kind of them. Fields that
    are objects, whose keys differ from row to row, have no type in Croissant and are left out.
    """
    folder = resources.files("refusalbench_tasks.generators") / "data"
    values = {
        "@context": json.loads((folder / "croissant_context.json").read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "name": name,
        "description": about,
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


def _file(path: str, digest: str) -> dict[str, Any]:
    form = {"encodingFormat": "application/jsonlines", "sha256": digest}
    return {"@type": "cr:FileObject", "@id": path, "name": path, "contentUrl": path, **form}


def _records(path: str, rows: Rows) -> dict[str, Any]:
    name = path.partition(".")[0]
    named = dict.fromkeys(column for row in rows for column in row)
    kinds = {column: _kind([row[column] for row in rows if column in row]) for column in named}
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": f"{name}/{column}",
            "dataType": kind,
            **({"repeated": True} if repeated else {}),
            "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
        }
        for column, (kind, repeated) in kinds.items()
        if kind
    ]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}


def _kind(values: Sequence[Any]) -> tuple[str, bool]:
    """Return the type of a field's values and whether they are lists; no type if they are objects or differ."""
    repeated = any(isinstance(value, list) for value in values)
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    kinds = {_TYPES.get(type(one), "") for one in flat} or {"sc:Text"}
    return (kinds.pop() if len(kinds) == 1 else ""), repeated
