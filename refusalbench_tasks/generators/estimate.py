"""What a generation run will cost, before anything is spent."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.blind_reading import FORM as READER_FORM
from refusalbench_tasks.generators.blind_reading import ReaderSays, reader_prompt
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.joint_verification import JOINT_FORM as VERDICTS_FORM
from refusalbench_tasks.generators.joint_verification import JointVerdict, joint_verifier_prompt
from refusalbench_tasks.generators.joint_writing import JOINT_FORM as ITEMS_FORM
from refusalbench_tasks.generators.joint_writing import joint_prompt, joint_schema
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.relative_intensity import FORM as RANKER_FORM
from refusalbench_tasks.generators.relative_intensity import RankerSays, ranking_prompt
from refusalbench_tasks.generators.siblings import family
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import FORM as VERIFIER_FORM
from refusalbench_tasks.generators.verification import ItemVerdict, verifier_prompt
from refusalbench_tasks.generators.writer import FORM as WRITER_FORM
from refusalbench_tasks.generators.writer import schema_of, writer_prompt
from refusalbench_tasks.judging.ask import Form, offered

CHARACTERS_PER_TOKEN = 4
VERDICT_TOKENS = 150
READING_TOKENS = 60
DRAFT_OVERHEAD = 120
FEEDBACK = 1_000
"""Characters of what a further attempt is told beside its last text."""
EVIDENCE = 500
"""Characters of the changes and the evidence that a verifier is shown."""
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
    slots: Sequence[Slot],
    levers: Sequence[Lever],
    writers: Sequence[str],
    verifiers: Sequence[str],
    attempts: int = 1,
    ranked: bool = False,
    self_votes: bool = False,
    read: bool = True,
) -> list[Usage]:
    """Return the usage of so many attempts at every slot by every writer, each read blind and judged by every other.

    `self_votes` has each writer that is a verifier judge its own items too; without `read` nobody reads blind.

    The most that these attempts take: an accepted item needs no further one, and rules, the blind reading and an early
    stop save verifier calls. Slots with siblings (`with_siblings`) share the calls of the first attempt, but for the
    reading; `ranked` adds a blind ranking of them. Not in it: levers that are declined, siblings of which a first call
    left one out, and replies that are asked for once more because they do not fit their schema. Tokens are characters
    / 4 over a sample of the prompts, with the schemas of the tools; output counts whole texts, of which edits are a
    part; reasoning tokens of a model are not known.
    """
    calls = [family(slot) for slot in slots if family(slot)[0].intensity is slot.intensity]
    together = any(len(one) > 1 for one in calls)
    shared, alone = _sampled(calls), _sampled([[slot] for slot in slots])
    drafts = _mean([_draft_length(slot) for (slot,) in alone])
    first, again = len(calls), (attempts - 1) * len(slots)
    further = _mean([_asked_length(one, levers) for one in alone]) + drafts + FEEDBACK if again else 0.0
    asked = first * _mean([_asked_length(one, levers) for one in shared]) + again * further
    n = len(slots) * attempts
    out = _tokens(n * drafts) + n * DRAFT_OVERHEAD
    rows = [Usage(name, "writer", first + again, _tokens(asked), out) for name in writers]
    if verifiers and read:
        length, reads = _mean([_read_length(slot) for (slot,) in alone]), n * len(writers)
        rows.append(Usage(verifiers[0], "reader", reads, _tokens(reads * length), reads * READING_TOKENS))
    if verifiers and ranked:
        rows.append(_ranker(verifiers[0], [one for one in calls if len(one) > 1], len(writers)))
    judged = first * _mean([_judged_length(one, levers, together) for one in shared])
    judged += again * _mean([_judged_length(one, levers, together) for one in alone]) if again else 0.0
    for name in verifiers:
        judged_writers = sum(self_votes or writer != name for writer in writers)
        verdicts = judged_writers * n * VERDICT_TOKENS
        rows.append(
            Usage(name, "verifier", judged_writers * (first + again), _tokens(judged_writers * judged), verdicts)
        )
    return rows


def _ranker(name: str, families: Sequence[Sequence[Slot]], writers: int) -> Usage:
    calls, length = len(families) * writers, _mean([_ranked_length(one) for one in _sampled(families)])
    return Usage(name, "ranker", calls, _tokens(calls * length), calls * READING_TOKENS)


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


def _sampled(calls: Sequence[Sequence[Slot]]) -> Sequence[Sequence[Slot]]:
    return calls[:: max(1, len(calls) // _SAMPLED)]


def _asked_length(slots: Sequence[Slot], levers: Sequence[Lever]) -> int:
    if len(slots) > 1:
        return len(joint_prompt(slots, levers)) + _schema_length(joint_schema(slots, levers), ITEMS_FORM)
    (slot,) = slots
    cell = cell_of(slot, levers)
    return len(writer_prompt(slot, cell)) + _schema_length(schema_of(slot, cell), WRITER_FORM)


def _read_length(slot: Slot) -> int:
    """Return the length of a reader's prompt for a candidate as long as its original."""
    return len(reader_prompt(_stand_in(slot))) + _schema_length(ReaderSays, READER_FORM)


def _judged_length(slots: Sequence[Slot], levers: Sequence[Lever], together: bool) -> int:
    """Return the length of a verifier's prompt for candidates as long as their originals."""
    if together:
        prompt = joint_verifier_prompt([(slot, _stand_in(slot)) for slot in slots], levers)
        schema = _schema_length(JointVerdict, VERDICTS_FORM)
    else:
        (slot,) = slots
        prompt = verifier_prompt(slot, _stand_in(slot), cell_of(slot, levers))
        schema = _schema_length(ItemVerdict, VERIFIER_FORM)
    return len(prompt) + len(slots) * EVIDENCE + schema


def _ranked_length(slots: Sequence[Slot]) -> int:
    """Return the length of a ranker's prompt for candidates as long as their originals."""
    return len(ranking_prompt([(slot, _stand_in(slot)) for slot in slots])) + _schema_length(RankerSays, RANKER_FORM)


def _stand_in(slot: Slot) -> Candidate:
    """Return a candidate as long as its original: one passage is shown anew, as most candidates change it."""
    passages = slot.base.passages if slot.multi else tuple(f"{text} " for text in slot.base.passages)
    return Candidate(query=slot.base.query, passages=passages, lever=slot.lever or "", reasoning="")


def _schema_length(schema: type[BaseModel], form: Form) -> int:
    return len(offered(schema, form).model_dump_json(exclude_none=True))


def _tokens(characters: float) -> int:
    return round(characters / CHARACTERS_PER_TOKEN)


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0
