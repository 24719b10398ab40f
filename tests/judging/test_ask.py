"""What a model is offered to answer by: a tool whose arguments are the fields of the schema."""

from typing import Any

import pytest
from inspect_ai.tool import ToolParams
from pydantic import BaseModel

from refusalbench_tasks.generators.draft import drafts_schema
from refusalbench_tasks.generators.kit.annotator import AnnotatorSays
from refusalbench_tasks.generators.verification import ItemVerdicts
from refusalbench_tasks.judging.ask import tool_parameters
from refusalbench_tasks.judging.attribution import AttributionVerdict
from refusalbench_tasks.judging.correctness import BehaviourVerdict
from refusalbench_tasks.judging.grounding import GroundingVerdict, claims_schema
from refusalbench_tasks.judging.label import GradeVerdict
from refusalbench_tasks.taxonomy import CLASSES, Intensity

WHOLE = drafts_schema(CLASSES[0], (Intensity.LOW,), True, "whole")
SCHEMAS = (
    *(AnnotatorSays, AttributionVerdict, BehaviourVerdict, GradeVerdict, GroundingVerdict, ItemVerdicts, WHOLE),
    claims_schema(3),
    *(drafts_schema(one, (Intensity.LOW, Intensity.HIGH), True, "edits") for one in CLASSES),
)


def inlined(part: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [inlined(entry, definitions) for entry in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: inlined(value, definitions) for key, value in part.items()}


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.__name__)
def test_the_arguments_of_the_tool_are_the_fields_that_the_schema_checks(schema: type[BaseModel]) -> None:
    checked = schema.model_json_schema()
    fields = inlined(checked["properties"], checked.get("$defs", {}))
    assert tool_parameters(schema) == ToolParams(properties=fields, required=checked.get("required", []))
