"""The columns that Inspect's viewer shows first of a run: what a row is, what was said,
and whether it is right.
"""

from collections.abc import Sequence

from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView, ViewerConfig

from refusalbench_tasks.scorers.row_facts import NAME


def sample_list(
    facts: Sequence[str],
    label: str,
    scores: str,
    numbers: Sequence[str],
    hidden: Sequence[str],
) -> ViewerConfig:
    """Return the viewer's list of samples: `facts` of the row, the label, then numbers;
    `hidden` ones on demand.
    """
    column = TaskSamplesColumn
    score = TaskSamplesColumn.score
    columns = [column(id="sampleStatus"), column(id="sampleId"), column(id="epoch")]
    columns += [score(NAME, fact) for fact in facts]
    columns += [column(id="input"), column(id="target"), column(id="answer")]
    columns.append(score(label))
    columns += [score(scores, number) for number in numbers]
    columns += [
        score(
            scores,
            number,
            visible=False,
        )
        for number in hidden
    ]
    columns.append(column(id="error"))
    return ViewerConfig(task_samples_view=TaskSamplesView(name="rows", columns=columns))


REFUSAL_HIDDEN = (
    "asks_back",
    "asks_about_the_ambiguity",
    "grade",
    "confidence",
    "unscored",
)
GROUNDED_HIDDEN = (
    *REFUSAL_HIDDEN,
    "eligible",
    "factual_all",
    "factual_relevant",
    "citations",
    "citations_existing",
    "citations_signal",
)


def refusal_list(grounded: bool) -> ViewerConfig:
    """Return the columns of `nq` and `garage`."""
    scores = "grounded_scores" if grounded else "refusal_scores"
    hidden = GROUNDED_HIDDEN if grounded else REFUSAL_HIDDEN
    return sample_list(
        ("class", "intensity"),
        "refusal_correct",
        scores,
        ("refused", "hit", "right"),
        hidden,
    )


def search_list(grounded: bool) -> ViewerConfig:
    """Return the columns of `search`."""
    hidden = GROUNDED_HIDDEN if grounded else REFUSAL_HIDDEN
    return sample_list(
        ("class", "intensity"),
        "refusal_correct",
        "search_scores",
        ("refused", "right", "evidence_shown", "shown_at", "searches"),
        (*hidden, "hit", "repeated_queries", "malformed_calls"),
    )


def hedging_list() -> ViewerConfig:
    """Return the columns of `bluff`."""
    hidden = (
        "boosters",
        "words",
        "hedge_strength",
        "overlap",
        "attribution",
        "hallucination",
        "grounding",
        "unscored",
    )
    shown = ("correctness", "confidence", "hedges", "faithfulness")
    return sample_list(
        ("topic", "arm"),
        "hedging_correct",
        "hedging_scores",
        shown,
        (*hidden, "refused"),
    )
