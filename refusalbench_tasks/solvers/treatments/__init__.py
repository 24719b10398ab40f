"""Treatments: ready solvers that may lower false refusals, to be compared with the
plain prompt.
"""

TREATMENTS = (
    "check_then_answer",
    "codes_last",
    "evidence_first",
    "few_shot",
    "no_codes",
    "self_check",
    "self_consistency",
    "threshold",
)
"""Their names in the registry, by which a log says that one of them replied."""
NOTES = "treatments"
"""The key of a sample's metadata under which each treatment notes what it did."""
