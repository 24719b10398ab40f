"""The arms of BLUFF-1000 and the names of what each of them has, without what computes them."""

PAIRED = ("clear", "ambiguous")
"""The two arms that the paper compares."""
MEASURES = ("answer_correctness", "hedge_rate", "confidence_mean", "faithfulness", "refusal_rate_p20", "ece")
"""What is given for each arm."""


def difference_name(measure: str) -> str:
    """Return the name of a measure's difference, ambiguous - clear."""
    return "refusal_sensitivity_p20" if measure == "refusal_rate_p20" else f"{measure}_difference"
