"""The arms of BLUFF-1000 and the names of what each of them has, without what computes them."""

PAIRED = ("clear", "ambiguous")
"""The two arms that the paper compares."""
IN_LOG = ("answer_correctness", "hedge_rate", "confidence_mean", "faithfulness", "refusal_rate_p20", "ece")
"""What a log has of each arm by `MEASURE_ARM`, and of their difference."""
MEASURES = (*IN_LOG[:-1], "refusal_rate", IN_LOG[-1])
"""What is given for each arm; a log has refusal rates and their difference under the names of the paper's metrics."""


def difference_name(measure: str) -> str:
    """Return the name of a measure's difference, ambiguous - clear."""
    return "refusal_sensitivity_p20" if measure == "refusal_rate_p20" else f"{measure}_difference"
