"""Replies to rows of worlds whose meaning is known, in seventeen styles; written
without sight of what reads them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.reply import Verdict

STYLES: Mapping[str, str] = {
    "bare": "{V}",
    "full stop": "{V}.",
    "cue": "Answer: {V}",
    "bold": "**{V}**",
    "bold cue": "**Answer:** {V}",
    "boxed": r"\boxed{{V}}",
    "boxed text": r"The final answer is $\boxed{\text{{V}}}$.",
    "reasoned, boxed": (
        "The entry has to be found first. Its line gives what is asked.\n\n\\boxed{{V}}"
    ),
    "tag": "<answer>{V}</answer>",
    "tag on lines": "<answer>\n{V}\n</answer>",
    "thought": (
        "<think>Two entries look alike: 11:15 and £7. I could refuse,"
        " REFUSE_OTHER.</think>\n{V}"
    ),
    "thought, tag": (
        "<think>Let me look it up. I don't know yet.</think><answer>{V}</answer>"
    ),
    "template's thought": "Let me look at the index first.</think>\n\n{V}",
    "json": '{"answer": "{V}"}',
    "fenced json": (
        '```json\n{"reasoning": "looked up in the list", "answer": "{V}"}\n```'
    ),
    "last line": "I looked for the entry and read its line.\nAnswer: {V}",
    "quoted": '"{V}"',
}
"""What stands around a value, a code or a refusal."""
SENTENCES: Sequence[str] = (
    "It is {V}.",
    "The answer is {V}.",
    "According to the passage, it is {V}.",
    "That would be {V}.",
)
PLAIN: Sequence[str] = (
    "I don't know",
    "[IDK]",
    "I do not know the answer",
    "I cannot answer this question",
    "I can't tell from the passage",
    "The passage does not say",
    "The document doesn't mention it",
    "The passage does not state this",
    "This cannot be determined from the passage",
    "There is not enough information to answer",
    "The answer is not given in the text",
    "Unanswerable",
    "I’m unable to answer",
)
"""Refusals without a code, with apostrophes of both kinds."""
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True)
class LabelledReply:
    """A reply to a row, and what it does."""

    row: Mapping[str, Any]
    style: str
    text: str
    means: Verdict


def right_values(row: Mapping[str, Any]) -> list[str]:
    """Return ways to write the gold answer of a row."""
    gold = str(row["original_answers"][0])
    kind = row["answer_type"]
    if kind == "time":
        hour = int(gold[:2])
        minute = gold[3:]
        half = "am" if hour < 12 else "pm"
        twelve = hour % 12 or 12
        return [gold, f"{twelve}:{minute} {half}", f"{twelve}.{minute} {half[0]}.m."]
    if kind == "date":
        day, month, year = gold.split()
        number = _MONTHS.index(month) + 1
        return [gold, f"{month} {day}, {year}", f"{year}-{number:02}-{int(day):02}"]
    if kind == "money":
        return [gold, f"{gold[1:]} pounds"]
    return [gold, gold.lower()] if kind == "flag" else [gold]


def wrong_values(row: Mapping[str, Any], rng: random.Random) -> list[str]:
    """Return values of the gold answer's type that are others."""
    gold = str(row["original_answers"][0])
    kind = row["answer_type"]
    match kind:
        case "flag":
            return ["no" if gold == "yes" else "yes"]
        case "entity":
            if row["question_type"] == "opinion":
                return [gold]
            names = (
                str(row.get("perturbed_query") or row["query"])
                .removesuffix("?")
                .replace(",", "")
                .split()
            )
            return [names[-1] if names[-3] == gold else names[-3]]
        case "time":
            return [f"{(int(gold[:2]) + rng.randint(1, 20)) % 24:02}:{gold[3:]}"]
        case "date":
            return [f"{rng.randint(1, 28)} {rng.choice(_MONTHS)} 1931"]
        case "year":
            return [str(int(gold) - rng.randint(1, 60))]
        case "money":
            return [f"£{rng.randint(200, 900)}", f"{rng.randint(200, 900)} pounds"]
        case "count":
            return [str(rng.randint(1_000, 3_000))]
    return [f"{rng.randint(2_000, 3_000)} {gold.split()[-1]}"]


def labelled(row: Mapping[str, Any], seed: int) -> Iterator[LabelledReply]:
    """Yield replies to a row in every style: its answer, another one, its code, another
    one, and a plain refusal.
    """
    rng = random.Random(f"{row['id']} {seed}")
    due = Label(row["expected_rag_behavior"])
    others = [one for one in Label if one not in (due, Label.ANSWER)]
    answer: Verdict = "right answer" if due is Label.ANSWER else "wrong answer"
    for style, around in [*STYLES.items(), ("sentence", rng.choice(SENTENCES))]:
        value = rng.choice(right_values(row))
        said: list[tuple[str, Verdict]] = [
            (value, answer),
            (rng.choice(wrong_values(row, rng)), "wrong answer"),
        ]
        if style != "sentence":
            said.append((rng.choice(others).value, "other code"))
            said.append((rng.choice(PLAIN), "plain refusal"))
            said += [(due.value, "right code")] if due is not Label.ANSWER else []
        for text, means in said:
            yield LabelledReply(row, style, around.replace("{V}", text), means)
