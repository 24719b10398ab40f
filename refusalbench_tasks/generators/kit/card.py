"""The data card of an exported set: one template for every pipeline."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig

from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.tables import Table, TableRow

HUB_LICENCES = (
    "apache-2.0",
    "mit",
    "cc0-1.0",
    "cc-by-4.0",
    "cc-by-sa-4.0",
    "cc-by-nc-4.0",
    "cc-by-nc-sa-4.0",
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_APART = ("prompts", "own_levers", "fit")
"""Settings in a log that are no line of their own."""
_NOBODY = (
    "Nobody has checked these rows: labels follow from the plan, and models wrote and"
    " verified them."
)


@dataclass(frozen=True)
class DataCard:
    """What a card says.

    `files` are the parts of the set by name, the first one the default.

    `runs` are the headers of the logs that it was made of: provenance, prompts and
    price come from them. `people` is what those found who checked rows, in Markdown.
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
        """Return the card: front matter, licence, provenance, what the pipeline says,
        people, price, limits.
        """
        own = [
            part
            for title, paragraphs in self.sections
            for part in (f"## {title}", *paragraphs)
        ]
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
            "Questions and texts were written and verified by models; models of one"
            f" family share blind spots. {self.limits}".strip(),
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
            "size_categories": [
                next((size for limit, size in _SIZES if self.rows < limit), "100K<n<1M")
            ],
            "tags": ["refusalbench", "selective-refusal", "synthetic"],
            "annotations_creators": ["machine-generated"],
            "language_creators": ["machine-generated"],
            "configs": [
                {
                    "config_name": name,
                    "default": name == first,
                    "data_files": [{"split": "test", "path": path}],
                }
                for name, path in self.files.items()
            ],
            "writers": sorted(self.writers or {run.eval.model for run in self.runs}),
        }
        return f"---\n{yaml.safe_dump(values, sort_keys=False, allow_unicode=True)}---"


def run_lines(header: EvalLog) -> list[str]:
    """Return what a run was made by, a line each: models, settings, prompts' digests,
    versions.
    """
    facts = header.eval.metadata or {}
    arguments = header.eval.task_args or {}
    told = {
        name: value for name, value in (facts | arguments).items() if name not in _APART
    }
    revision = header.eval.revision
    versions = {**header.eval.packages, "task": header.eval.task_version}
    if revision:
        changed = " (changed)" if getattr(revision, "dirty", False) else ""
        versions["commit"] = f"{revision.commit}{changed}"
    prompts = facts.get("prompts") or {}
    return [
        (
            f"writer `{header.eval.model}` ({_config(header.plan.config)}),"
            f" {header.eval.created[:10]}"
        ),
        *(
            f"{role}: {'; '.join(_bound(bound))}"
            for role, bound in sorted((header.eval.model_roles or {}).items())
        ),
        "settings: "
        + ", ".join(f"{name} {_brief(value)}" for name, value in told.items()),
        "prompts, sha256: "
        + (
            ", ".join(f"{name} `{digest}`" for name, digest in prompts.items())
            or "not noted"
        ),
        "versions: " + ", ".join(f"{name} {value}" for name, value in versions.items()),
    ]


def usage(runs: Sequence[EvalLog]) -> list[TableRow]:
    """Return the tokens that each model was billed for over all runs, as the logs count
    them.

    With their cost in dollars where a log notes any; NaN for a model of which one log
    does not.
    """
    rows: dict[str, dict[str, float | int]] = {}
    priced = any(
        used.total_cost is not None
        for run in runs
        for used in run.stats.model_usage.values()
    )
    for run in runs:
        for model, used in run.stats.model_usage.items():
            counts = {
                "input": used.input_tokens,
                "cache read": used.input_tokens_cache_read or 0,
                "cache write": used.input_tokens_cache_write or 0,
                "output": used.output_tokens,
                **(
                    {
                        "cost ($)": (
                            math.nan if used.total_cost is None else used.total_cost
                        )
                    }
                    if priced
                    else {}
                ),
            }
            row = rows.setdefault(model, dict.fromkeys(counts, 0))
            for name, n in counts.items():
                row[name] += n
    return [{"model": model, **counts} for model, counts in sorted(rows.items())]


def bullets(lines: Sequence[str]) -> str:
    """Return a list with one line an entry."""
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def counts_table(keys: Iterable[tuple[str, ...]], *columns: str) -> str:
    """Return a table of how often each key occurs; the last column has the number."""
    return table(
        [
            dict(zip(columns, (*key, number), strict=True))
            for key, number in sorted(Counter(keys).items())
        ]
    )


def agreement_row(pairs: Sequence[tuple[bool, bool]]) -> TableRow:
    """Return how two judges agree over the n things that both judged."""
    first, second = zip(*pairs, strict=True)
    return {
        "n": len(pairs),
        "agreement": sum(one == other for one, other in pairs) / len(pairs),
        "kappa": cohen_kappa(first, second),
    }


def table(rows: Sequence[TableRow]) -> str:
    """Return a table in Markdown, without a title; no text if it has no rows."""
    return Table("", "", rows).as_markdown().rstrip()


def _bound(bound: Any) -> list[str]:
    models: Sequence[ModelConfig] = bound if isinstance(bound, list) else [bound]
    return [f"`{model.model}` ({_config(model.config)})" for model in models]


def _config(config: GenerateConfig) -> str:
    given = config.model_dump(exclude_none=True, mode="json")
    return (
        ", ".join(f"{name} {value}" for name, value in given.items())
        or "default settings"
    )


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
