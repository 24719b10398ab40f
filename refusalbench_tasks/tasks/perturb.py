"""Generation: the evaluated model writes perturbed items, a panel of verifiers accepts or rejects them."""

from collections.abc import Sequence
from typing import Annotated, Never, Self

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from pydantic import model_validator

from refusalbench_tasks.arguments import Arguments, Count, Fraction, Names, Natural, Switch, Text, Whole, required
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.shard import ShardArgument, shard_facts
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.attempts import Attempts
from refusalbench_tasks.generators.blind_reading import Use
from refusalbench_tasks.generators.consensus_scorer import Asked, consensus_scores
from refusalbench_tasks.generators.kit.bases import base_licence, load_bases
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN
from refusalbench_tasks.generators.kit.verifiers import require_bound_verifiers, require_verifiers
from refusalbench_tasks.generators.levers import Lever, load_levers, select_levers
from refusalbench_tasks.generators.perturbation import perturbation
from refusalbench_tasks.generators.plan import Coverage, make_plan, shard_plan
from refusalbench_tasks.generators.recipe import recipe
from refusalbench_tasks.generators.siblings import with_siblings
from refusalbench_tasks.generators.survey import survey
from refusalbench_tasks.generators.verification import IntensityUse
from refusalbench_tasks.generators.verifier_panel import Verify
from refusalbench_tasks.generators.writer import WriteForm

VERSION = "5-A"
_TOLD = {"bases", "coverage", "attempts", "write", "skip_hopeless", "seed"}
"""Settings that the log's metadata have beside those of the panel."""


class PerturbSettings(Arguments):
    """The arguments of `perturb`."""

    bases: Annotated[Text, required("a file of base questions, `nq_sample` or `garage_sample`: -T bases=FILE")]
    """A file of base questions, as `refusalbench bases` writes it, or `nq_sample` / `garage_sample`."""
    classes: Names = ()
    """Comma list of perturbation classes."""
    intensities: Names = ()
    """Comma list of LOW, MEDIUM, HIGH."""
    levers: Names = ()
    """Comma list of lever names."""
    lever_file: Text | None = None
    """A YAML or JSON file with levers beside the bundled ones."""
    coverage: Coverage = "balanced"
    """`balanced` (one lever that fits per base and cell, evenly spread), `rotation` (the levers take turns, whether
    they fit or not), `all` (every lever for each base), `model` (the writer picks)."""
    seed: Whole = 0
    """Seed of the plan and of the cache."""
    attempts: Count = 1
    """How often an item may be asked for, with the reasons of earlier rejections."""
    write: WriteForm = "edits"
    """`edits` (the writer gives changes and the evidence for them, and may decline a lever) or `whole` (whole
    texts, as the paper)."""
    verify: Verify = "until_fail"
    """`until_fail` stops at the first FAIL, `all` keeps every vote."""
    self_votes: Switch = False
    """Whether the writer may vote on its own candidates."""
    cache: Switch = True
    """Keep finished calls for a week, so that a killed run pays for none twice."""
    audit_share: Fraction = 0.0
    """With `until_fail`, the share of the slots, chosen by their ids, that every verifier judges whatever the first
    ones say: pass rates and agreement are estimated from these."""
    max_failures: Natural = LONGEST_RUN
    """Failures of one verifier in a row that stop the run; 0 allows any number, and leaves out the call to each
    verifier at the start."""
    reading: Use = "gate"
    """Whether a model (role `reader`, else the first verifier) reads each item blind before the panel votes: `gate`
    rejects a LOW item that is not answered as before, and any other that is; `record`; `off`."""
    intensity: IntensityUse = "record"
    """Whether a verifier's view of the intensity is only written down (`record`) or decides (`veto`). With `rank`,
    which needs `together`, a model that does not know the plan also puts siblings in order."""
    order: Asked = "learnt"
    """With `until_fail`, whether the verifiers that fail most are asked first, as the run learns (`learnt`), or
    always as they are given (`given`)."""
    together: Switch = False
    """Whether the LOW, MEDIUM and HIGH items of a base and a class are written in one call and judged in one call
    of each verifier; further attempts and other levers are one by one."""
    skip_hopeless: Switch = False
    """Whether a lever with which the writer was hardly ever accepted so far, on bases with such an answer, gives
    way to the next one that fits."""
    shard: ShardArgument = None
    """The part of the base questions that this process takes, as `2/8`: the second of eight (docs/scale.md)."""

    @model_validator(mode="after")
    def _siblings_are_edits(self) -> Self:
        if self.together and self.write != "edits":
            raise DataError("together=true needs write=edits: whole texts are written one by one")
        if self.intensity == "rank" and not self.together:
            raise DataError("intensity=rank needs together=true: siblings are compared that were written in one call")
        return self


@task
def perturb(
    bases: str | None = None,
    classes: str | None = None,
    intensities: str | None = None,
    levers: str | None = None,
    lever_file: str | None = None,
    coverage: Coverage = "balanced",
    seed: int = 0,
    attempts: int = 1,
    write: WriteForm = "edits",
    verify: Verify = "until_fail",
    self_votes: bool = False,
    cache: bool = True,
    audit_share: float = 0.0,
    max_failures: int = LONGEST_RUN,
    reading: Use = "gate",
    intensity: IntensityUse = "record",
    order: Asked = "learnt",
    together: bool = False,
    skip_hopeless: bool = False,
    shard: str | None = None,
    **others: Never,
) -> Task:
    """Return a generation run: the model under evaluation is the writer, the role `verifier` the panel.

    The arguments are those of `PerturbSettings`. Another name is an error, before anything is loaded.
    """
    settings = PerturbSettings.of("perturb", locals())
    require_bound_verifiers()
    questions = load_bases(settings.bases)
    known = load_levers(settings.lever_file)
    chosen = select_levers(known, settings.classes, settings.intensities, settings.levers)
    whole = make_plan(questions, chosen, settings.coverage, settings.seed)
    whole = with_siblings(whole) if settings.together else whole
    plan = shard_plan(whole, settings.shard, settings.seed)
    source = Attempts(plan, settings.attempts) if settings.attempts > 1 else None
    kept = {"lever_file", "cache", "seed"}
    asked = {"verify", "self_votes", "audit_share", "max_failures", "reading", "intensity", "order", "together"}
    return Task(
        dataset=source or MemoryDataset([slot.to_sample() for slot in plan], name="RefusalBench-perturb"),
        setup=require_verifiers(settings.self_votes, settings.max_failures, settings.reading != "off"),
        solver=perturbation(**settings.model_dump(include=kept | {"write", "skip_hopeless"})),
        scorer=consensus_scores(**settings.model_dump(include=kept | asked)),
        headline_metric=HeadlineMetric(scorer="consensus_scores", metric="acceptance"),
        version=VERSION,
        metadata={
            **settings.model_dump(include=asked - {"max_failures"} | _TOLD),
            "bases_fingerprint": fingerprint(questions),
            "licence": base_licence(settings.bases),
            "base_questions": len(questions),
            "planned": len(plan),
            "fit": _fit(questions, chosen),
            **shard_facts(settings.shard, whole),
            **recipe(chosen, known),
        },
    )


def _fit(questions: Sequence[RefusalItem], levers: Sequence[Lever]) -> dict[str, object]:
    """Return which levers fit the base questions, for the log and the data card."""
    found = survey(questions, levers)
    return {
        "pairs": found.pairs,
        "inapplicable": found.inapplicable,
        "never_usable": list(found.never_usable),
        "without_lever": [[str(part) for part in one] for one in found.without],
    }
