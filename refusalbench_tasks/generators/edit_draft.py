"""What a writer returns in edits: one schema for each kind of evidence, and none of them longer than its item needs."""

from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from refusalbench_tasks.generators.edits import PassageReplacement, Replacement
from refusalbench_tasks.generators.evidence import Evidence, evidence_of
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_EDITS = "The changes; empty if no passage changes."
_EVIDENCE = "What the item rests on; null only if the lever is not applicable."


def _all_required(schema: dict[str, Any]) -> None:
    # a draft without an analysis is as good; but a field that may be left out is left out
    schema["required"] = list(schema["properties"])


class EditDraft(BaseModel):
    """A writer's output: an item as changes with their evidence, or why the lever cannot be applied."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_all_required)

    analysis: str = Field("", description="First: what the answer rests on, and where and how the lever changes it.")
    applicable: bool = Field(
        True, description="False if the lever cannot be done on this item within its target, not even by force."
    )
    why_not: str = Field("", description="If it is not applicable: one sentence why. Else empty.")
    lever: str = Field("", description="The name of the lever that was used.")
    perturbed_query: str = Field("", description="The whole question, changed or not.")
    edits: list[Replacement] = Field(default_factory=list, description=_EDITS)
    evidence: Evidence | None = Field(None, description=_EVIDENCE)
    reasoning: str = Field("", description="Two sentences: what was changed, and why the expected behaviour follows.")

    @model_validator(mode="after")
    def _whole(self) -> "EditDraft":
        if not self.applicable:
            if not self.why_not.strip():
                raise ValueError("why_not: say why the lever is not applicable")
            return self
        missing = [name for name in ("lever", "perturbed_query") if not getattr(self, name).strip()]
        missing += ["evidence"] if self.evidence is None else []
        if missing:
            raise ValueError(f"{', '.join(missing)}: required where applicable is true")
        return self


class GroundedDraft(EditDraft):
    """An output for a lever that may add one sentence to the passages."""

    ground_added: str = Field(
        "", description="Optional: one sentence to be added to the passage, which denies what the question assumes."
    )


@cache
def edit_draft(perturbation: PerturbationClass, intensity: Intensity, several: bool, ground: bool) -> type[EditDraft]:
    """Return the schema of a writer's output for a class and an intensity.

    `several` asks for the passage of each change; `ground` offers a sentence that may be added.
    """
    change = PassageReplacement if several else Replacement
    fields: dict[str, Any] = {
        "edits": (list[change], Field(default_factory=list, description=_EDITS)),  # type: ignore[valid-type]
        "evidence": (evidence_of(perturbation, intensity) | None, Field(None, description=_EVIDENCE)),
    }
    name = f"{perturbation.short}{'Low' if intensity is Intensity.LOW else ''}Draft"
    return create_model(name, __base__=GroundedDraft if ground else EditDraft, **fields)
