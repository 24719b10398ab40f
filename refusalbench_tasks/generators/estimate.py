"""What a generation run will cost, before anything is spent."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.documents import file_at, read_text, yaml_value
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import verifier_prompt
from refusalbench_tasks.generators.writer import writer_prompt

CHARACTERS_PER_TOKEN = 4
VERDICT_TOKENS = 150
DRAFT_OVERHEAD = 120
_SAMPLED = 60


@dataclass(frozen=True)
class Usage:
    """Calls of one model, and its input and output tokens."""

    model: str
    role: str
    calls: int
    input_tokens: int
    output_tokens: int

    def cost(self, prices: Mapping[str, "Price"]) -> float | None:
        """Return what this costs, None without a price for the model."""
        price = prices.get(self.model)
        if price is None:
            return None
        return (self.input_tokens * price.input + self.output_tokens * price.output) / 1_000_000


@dataclass(frozen=True)
class Price:
    """Price of a million tokens."""

    input: float
    output: float


def estimate(
    slots: Sequence[Slot], levers: Sequence[Lever], writers: Sequence[str], verifiers: Sequence[str]
) -> list[Usage]:
    """Return the usage of one attempt at every slot by every writer, each judged by every verifier.

    The most that one attempt takes: rules and an early stop save verifier calls, repairs and further attempts add
    some. Tokens are characters / 4 over a sample of the prompts; reasoning tokens of a model are not known.
    """
    cells: dict[tuple[str, str], list[Lever]] = {}
    for lever in levers:
        cells.setdefault((lever.perturbation, lever.intensity), []).append(lever)
    sample = slots[:: max(1, len(slots) // _SAMPLED)]
    asked = _mean([len(writer_prompt(slot, cells[slot.perturbation, slot.intensity])) for slot in sample])
    drafts = _mean([_draft_length(slot) for slot in sample])
    judged = _mean([_judged_length(slot, cells[slot.perturbation, slot.intensity]) for slot in sample])
    n = len(slots)
    rows = [Usage(name, "writer", n, _tokens(n * asked), _tokens(n * drafts) + n * DRAFT_OVERHEAD) for name in writers]
    calls = n * len(writers)
    shown = _tokens(calls * judged)
    return rows + [Usage(name, "verifier", calls, shown, calls * VERDICT_TOKENS) for name in verifiers]


def read_prices(path: str) -> dict[str, Price]:
    """Return prices by model from a YAML or JSON file: `MODEL: {input: X, output: Y}`, per million tokens."""
    content = yaml_value(read_text(file_at(path, "prices"), f"prices: '{path}'"), f"prices: '{path}'")
    if not isinstance(content, Mapping) or not content:
        raise DataError(f"prices: '{path}' needs lines MODEL: {{input: X, output: Y}}, per million tokens")
    return {str(name): _price(path, str(name), value) for name, value in content.items()}


def _price(path: str, model: str, value: object) -> Price:
    stated = [value.get(field) if isinstance(value, Mapping) else None for field in ("input", "output")]
    amounts = [x for x in stated if isinstance(x, int | float) and not isinstance(x, bool) and 0 <= x < math.inf]
    if len(amounts) < len(stated):
        raise DataError(
            f"prices: '{path}', model '{model}': expected {{input: X, output: Y}}, numbers from 0, per million tokens"
        )
    return Price(float(amounts[0]), float(amounts[1]))


def coverage(slots: Sequence[Slot]) -> Counter[tuple[str, str]]:
    """Return the number of slots by class and intensity."""
    return Counter((slot.perturbation.value, slot.intensity.value) for slot in slots)


def _draft_length(slot: Slot) -> int:
    texts = [slot.base.passages[k] for k in slot.base.signal] if slot.multi else list(slot.base.passages)
    return len(slot.base.query) + sum(map(len, texts))


def _judged_length(slot: Slot, cell: Sequence[Lever]) -> int:
    """Return the length of a verifier's prompt for a candidate as long as its original."""
    base = slot.base
    stand_in = Candidate(query=base.query, passages=base.passages, lever=slot.lever or "", reasoning="x" * 300)
    return len(verifier_prompt(slot, stand_in, cell))


def _tokens(characters: float) -> int:
    return round(characters / CHARACTERS_PER_TOKEN)


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0
