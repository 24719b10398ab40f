"""What policies earn that reply to every row of worlds alike, and from when looking
pays.

`python -m benchmarks.worlds_policies` prints the table of docs/worlds.md.
"""

from collections.abc import Mapping, Sequence

from refusalbench_tasks.worlds.reward import DEFAULT_PAYOFFS, Payoffs

SETTINGS: Mapping[str, Payoffs] = {
    "the default": DEFAULT_PAYOFFS,
    "`refused_answerable=0`": Payoffs(refused_answerable=0),
    "`other_refusal=0`": Payoffs(other_refusal=0),
}
KNOWN_CODES = (1 / 6, 0.35, 1.0)
"""How often a policy's code is the right one: a guess, a class reader as good as the
best that may be, one that always knows.
"""


def always_answers(payoffs: Payoffs) -> float:
    """Return what it earns to answer every row, rightly wherever there is an answer."""
    return (payoffs.right_answer + payoffs.answered_unanswerable) / 2


def always_refuses(payoffs: Payoffs, code: float) -> float:
    """Return what it earns to refuse every row with a code that is right with some
    probability (0: without one).
    """
    return (payoffs.refused_answerable + refusal(payoffs, code)) / 2


def refusal(payoffs: Payoffs, code: float) -> float:
    """Return what refusing an unanswerable row earns."""
    return code * payoffs.right_code + (1 - code) * payoffs.other_refusal


def looks(payoffs: Payoffs, right: float, code: float) -> float:
    """Return what a policy earns that looks the fact up: with the probability `right`
    it answers or refuses as it should, otherwise it refuses an answerable row or
    answers another.
    """
    as_due = payoffs.right_answer + refusal(payoffs, code)
    otherwise = payoffs.refused_answerable + payoffs.answered_unanswerable
    return (right * as_due + (1 - right) * otherwise) / 2


def looking_pays_from(payoffs: Payoffs, code: float) -> float:
    """Return the share of right look-ups above which looking earns more than replying
    to every row alike.
    """
    constant = max(always_answers(payoffs), always_refuses(payoffs, code))
    nothing = looks(payoffs, 0, code)
    return (constant - nothing) / (looks(payoffs, 1, code) - nothing)


def table() -> str:
    """Return the table in Markdown."""
    codes = [f"c = {code:.2g}" for code in KNOWN_CODES]
    heads = [
        "payoffs",
        "always answer",
        "refuse without code",
        *(f"with a code, {code}" for code in codes),
        *(f"looking pays from, {code}" for code in codes),
    ]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for name, payoffs in SETTINGS.items():
        numbers = [
            always_answers(payoffs),
            always_refuses(payoffs, 0),
            *(always_refuses(payoffs, code) for code in KNOWN_CODES),
            *(looking_pays_from(payoffs, code) for code in KNOWN_CODES),
        ]
        shown = [f"{number:.2f}".replace("-", "−") for number in numbers]
        lines.append(_line([name, *shown]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(table())
