"""Scripted short replies to a row of worlds, each with its truth: right, wrong, or not for a matcher to decide.

Written without sight of the matcher. A reply is a value (right or wrong, in one of its surface forms) in a style (what
stands around it), or a trap: a text that names values and gives none, or several, or one for another thing.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.rows import CELLS, as_row
from tests.worlds.reply_values import right_forms, wrong_forms

Row = Mapping[str, Any]
Style = Callable[[random.Random, str, Row], str]


@dataclass(frozen=True)
class Scripted:
    """One reply; `truth` is whether it gives the answer, None if no verdict may be passed on it."""

    style: str
    row: Row
    text: str
    truth: bool | None


def question_of(row: Row) -> str:
    """Return the question of a row of either layout."""
    return str(row.get("perturbed_query") or row["query"])


def passage_of(row: Row) -> str:
    """Return the text that the reply is to rest on."""
    return (
        str(row["perturbed_context"]) if "perturbed_context" in row else " ".join(p["text"] for p in row["grounding"])
    )


def pick(*texts: str) -> Style:
    """Return a style that draws one of some patterns around V (V^ with a capital letter)."""

    def styled(rng: random.Random, value: str, row: Row) -> str:
        return fill(rng.choice(texts), value, row)

    return styled


def fill(pattern: str, value: str, row: Row) -> str:
    """Return a pattern with the value (V, or V^ with a capital) and the question (QQ) put in."""
    slots = {"V^": value[:1].upper() + value[1:], "V": value, "QQ": question_of(row)}
    return re.sub(r"\bV\^|\bV\b|\bQQ\b", lambda found: slots[found[0]], pattern)


ECHOES = (
    (r"Who (?!or\b|,)(.+)\?", r"V^ \1."),
    (r"In which year was (.+) (\w+ed)\?", r"\1 was \2 in V."),
    (r"Where is (.+) located\?", r"\1 is located in V."),
    (r"How many (.+) does (.+) have\?", r"\2 has V#."),
    (r"What (is|was) the ((?:(?! or ).)+)\?", r"The \2 \1 V."),
    (r"Which (?:of .+ )?has (the .+?)(?:, .+)?\?", r"V^ has \1."),
    (r"Of .+, which one's (.+) (is \w+)\?", r"The \1 of V \2."),
    (r"(?:Does|Do) .+\?", r"V^, it does#."),
    (r"Is .+\?", r"V^, it is#."),
    (r"On what date (?:was) (.+) (signed|founded|opened)\?", r"\1 was \2 on V."),
)
"""Questions that a sentence can repeat, and the sentence."""


def echo(rng: random.Random, value: str, row: Row) -> str:
    """Return a sentence that repeats the question around the value."""
    question = question_of(row)
    for asked, said in ECHOES:
        found = re.fullmatch(asked, question)
        if not found:
            continue
        if "V^, it" in said:
            if value not in ("yes", "no"):
                continue
            said = said.replace("#", " not" if value == "no" else "")
        if "#" in said:
            said = said.replace("#", "" if found[1] in value else " " + found[1])
        return fill(found.expand(said), value, row)
    return fill(rng.choice(("The answer to the question “QQ” is V.", "QQ V^.", "QQ – V")), value, row)


def reasoned(rng: random.Random, value: str, row: Row) -> str:
    """Return a short reasoning, and the answer at its end."""
    patterns = [
        "The passage answers this directly. The answer is V.",
        "Let me check the passage. It gives V. So the answer is V.",
        "The question is: QQ The text speaks of it. Therefore, the answer is V.",
        "Looking at the passage, the relevant detail is V.\n\nAnswer: V",
        "Step 1: find the sentence. Step 2: read it.\nFinal answer: V",
    ]
    return fill(rng.choice(patterns), value, row)


def with_reason(rng: random.Random, value: str, row: Row) -> str:
    """Return the value with a reason; beside yes or no, the reason repeats the passage."""
    evidence = [one for one in row["evidence"] if len(one) < 160]
    if row["answer_type"] == "flag" and evidence and rng.random() < 0.6:
        said = rng.choice(evidence)
        return fill(rng.choice((f"V^. {said}", f"V^, because the passage says: “{said}”")), value, row)
    return fill(rng.choice(("V^, as the passage states.", "V^, because the passage says so.")), value, row)


STYLES: Mapping[str, Style] = {
    "bare": pick("V", "V^", "V^.", "V."),
    "cue": pick("Answer: V", "**Answer:** V", "Final answer: V.", "Answer – V", "The answer: V", "ANSWER: V"),
    "markdown": pick("**V^**", "The answer is **V**.", "*V*", "# V", "- V", "`V`", "> V"),
    "cited": pick("V [1]", "V^ [1].", "V (passage 1)", "The answer is V [1].", "V^ (source: the passage)", "[1] V"),
    "according": pick(
        "According to the passage, the answer is V.",
        "Based on the passage, the answer is V.",
        "As stated in the text, the answer is V.",
        "According to the context: V.",
        "The passage says V.",
        "From the passage: V",
    ),
    "echo": echo,
    "hedged": pick(
        "I think it's V.",
        "It is probably V.",
        "I believe the answer is V.",
        "It seems to be V.",
        "Probably V.",
        "If I read it correctly, the answer is V.",
        "V, I think.",
    ),
    "reasoned": reasoned,
    "json": pick('{"answer": "V"}', '```json\n{"answer": "V"}\n```', '{"answer": "V", "source": 1}', "{'answer': 'V'}"),
    "with_reason": with_reason,
    "short_sentence": pick("It's V.", "It is V.", "That would be V.", "The correct answer is V.", "This is V."),
    "quoted": pick('"V"', "“V^”", "‘V’", "The answer is “V”.", '"V^."'),
    "question_first": pick("QQ\nV", "QQ V^.", "Question: QQ\nAnswer: V", "Q: QQ\nA: V"),
    "chat": pick("Sure! The answer is V.", "Great question! It's V.", "Certainly. V^.", "Hi! V^."),
}
"""What stands around a value; fourteen styles."""

LATER_STYLES: Mapping[str, Style] = {
    "tagged": pick("<answer>V</answer>", "\\boxed{V}", "answer = V", "answer: |\n  V", "### Answer\nV", "Result: V"),
    "closing": pick(
        "The answer is V. Let me know if you need anything else!",
        "V^. I hope this helps.",
        "V^. This is stated in the passage.",
        "The answer, as far as the passage tells, is V.",
        "In short: V.",
        "To answer your question: V.",
    ),
    "confident": pick("Definitely V.", "The answer is clearly V.", "V^, without a doubt.", "The answer must be V."),
}
"""Styles for the second measurement, written before the matcher was mended after the first."""


def traps(rng: random.Random, row: Row, other: str) -> Iterator[tuple[str, str]]:
    """Yield texts on which no verdict may be passed, with the name of the trap; `other` is a wrong value."""
    gold = row["original_answers"][0]
    yield (
        "refusal",
        rng.choice(
            (
                f"The passage does not say whether it was {gold} or {other}.",
                f"I cannot tell from the passage if the answer is {gold}.",
                f"The passage mentions {gold}, but it does not say what the question asks.",
                f"There is no answer in the text; {gold} is said of something else.",
                f"It is unclear: {gold}?",
                f"I'm unable to answer this. The passage only mentions {other}.",
                f"The sources contradict each other: {gold} in one, {other} in the other.",
                f"The question assumes something false, so {gold} cannot be the answer.",
            )
        ),
    )
    yield (
        "two values",
        rng.choice((f"Either {gold} or {other}.", f"{gold} or {other}", f"It could be {gold}, it could be {other}.")),
    )
    yield (
        "denial",
        rng.choice((f"Not {gold}.", f"It was not {gold}.", f"The answer isn't {gold}.", f"Anything but {gold}.")),
    )
    yield (
        "code beside",
        rng.choice(
            (f"{gold} REFUSE_AMBIGUOUS_QUERY", f"{other}\nREFUSE_INFO_MISSING_IN_CONTEXT", f"REFUSE_OTHER: {gold}")
        ),
    )
    if row["answer_type"] not in ("flag", "entity"):
        yield (
            "another thing",
            rng.choice(
                (
                    f"For Zumbelworth Hall the answer is {gold}.",
                    f"{gold} is what the passage says of Zumbelworth Hall.",
                    f"The passage gives {other} for Zumbelworth Hall only.",
                )
            ),
        )
    yield "question back", rng.choice((f"Do you mean {gold}?", f"{gold}?", f"Is it {other}?"))


def made_rows(seed: int, quads: int) -> list[list[dict[str, Any]]]:
    """Return the rows of some quads; that a reader can prove them is no matter here."""
    return [[as_row(quad, place) for place in range(CELLS)] for quad in (make_quad(seed, k) for k in range(quads))]


def scripted(quad: Sequence[Row], seed: int, styles: Mapping[str, Style] = STYLES) -> Iterator[Scripted]:
    """Yield two replies of each row of a quad for each truth: right, wrong and neither."""
    rng = random.Random(f"{quad[0]['id']} {seed}")
    for place, row in enumerate(quad):
        twin = quad[(place + 2) % 4]
        rights, wrongs = right_forms(row, rng), wrong_forms(row, twin, rng)
        for truth, forms in ((True, rights), (False, wrongs)):
            for style in rng.sample(sorted(styles), 2 if forms else 0):
                yield Scripted(style, row, styles[style](rng, rng.choice(forms), row), truth)
        if wrongs:
            for name, text in rng.sample(sorted(traps(rng, row, rng.choice(wrongs))), 2):
                yield Scripted(name, row, text, None)
