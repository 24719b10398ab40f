"""From blocks of sentences to a passage in a register."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random

import yaml

from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.pack import Pack
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import drawn, fill

REGISTERS = ("encyclopaedia", "memo", "bullets", "minutes", "letter", "mail", "faq", "table")
"""The kinds of text; each says the same sentences in its own form."""

MARKS = "-*•–·+"
"""How the lines of a list may begin."""
ITEMS = ("(a)", "a)", "1.", "1)", "(1)", "–", "·", "-")
"""How the items of minutes may begin: by letter, by number, or all alike."""
LABELS = (
    ("Q:", "A:"),
    ("Question:", "Answer:"),
    ("Q.", "A."),
    ("Asked:", "Told:"),
    ("Query:", "Reply:"),
    ("Enquiry:", "Response:"),
    ("Visitor:", "Desk:"),
    ("Reader:", "Editor:"),
    ("Caller:", "Clerk:"),
    ("Guest:", "Host:"),
    ("Newcomer:", "Guide:"),
    ("Pupil:", "Teacher:"),
)
"""What stands before a question and its answer in a list of questions, if anything does."""
QUESTIONS = (
    *(f"{question} {{question}}\n{answer} {{answer}}." for question, answer in LABELS),
    "{question}\n{answer}.",
    "{question}\n– {answer}.",
    "{question} {answer}.",
    "{question} – {answer}.",
    "{question} → {answer}.",
    "{question} / {answer}.",
)
"""How a list of questions sets off a question and its answer."""
GRID = "| {name} | {entry} | {value} |"
ROWS = (
    GRID,
    "{name} — {entry}: {value}",
    "{name} ({entry}): {value}",
    "{name}: {entry} = {value}",
    "{name} / {entry} / {value}",
    "{name}; {entry}; {value}",
    "{name} – {entry} – {value}",
    "{name} → {entry} → {value}",
    "{name} · {entry} · {value}",
    "{name} ~ {entry} ~ {value}",
)
"""How a table sets a name, an entry and a value on a line; only a grid has a head."""
OPEN = "(What is the {A} of {S}|{S}: what is the {A}|For {S}, what is the {A})?"
WHO = "(Who is the {A} of {S}|{S}: who is the {A}|For {S}, who is the {A})?"
"""Questions for an entry of a thing that has none of its own."""
_MOST_ROWS = 4


@cache
def wording(part: str) -> tuple[str, ...]:
    """Return the wordings of a part of letters, memos, mails, minutes and tables."""
    return tuple(_registers()[part])


@cache
def _registers() -> dict[str, list[str]]:
    text = (files("refusalbench_tasks.worlds") / "registers.yaml").read_text(encoding="utf-8")
    read: dict[str, list[str]] = yaml.load(text, yaml.CSafeLoader)
    return read


def _worded(part: str, rng: Random) -> str:
    return drawn(rng.choice(wording(part)), rng)


def passage(blocks: Sequence[Block], register: str, pack: Pack, rng: Random) -> str:
    """Return the text of blocks, in this order, as a text of a kind.

    A list of questions and a table show some of the plain facts in their own form. Figures stand at the end.
    """
    figures = ["\n".join(sentence.text for sentence in one.sentences) for one in blocks if one.figure]
    return "\n\n".join([_prose([one for one in blocks if not one.figure], register, pack, rng), *figures])


def _prose(blocks: Sequence[Block], register: str, pack: Pack, rng: Random) -> str:
    texts = [" ".join(sentence.text for sentence in one.sentences) for one in blocks]
    match register:
        case "bullets":
            mark = rng.choice(MARKS)
            return "\n".join(f"{mark} {text}" for text in texts)
        case "minutes":
            style = rng.choice(ITEMS)
            numbers = _letters() if "a" in style else [str(number) for number in range(1, len(texts) + 1)]
            marks = [style.replace("a", one).replace("1", one) for one in numbers]
            numbered = "\n".join(f"{mark} {text}" for mark, text in zip(marks, texts, strict=False))
            return f"{_worded('openers', rng)}\n{numbered}"
        case "memo":
            head = f"{_worded('memos', rng)}\n{_worded('labels', rng)}: {_worded('subjects', rng)}"
            return f"{head}\n\n{_paragraphs(texts, rng)}"
        case "letter":
            first, last = _worded("greetings", rng), _worded("closings", rng)
            return f"{first}\n\n{_paragraphs(texts, rng)}\n\n{last}"
        case "mail":
            return _mail(texts, rng)
        case "faq":
            return _faq(blocks, pack, rng)
        case "table":
            return _table(blocks, rng)
        case _:
            return _paragraphs(texts, rng)


def _letters() -> list[str]:
    small = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    return small + [f"{first}{second}" for first in small for second in small]


def _paragraphs(texts: Sequence[str], rng: Random) -> str:
    if len(texts) < 6 or rng.random() < 0.4:
        return " ".join(texts)
    cut = rng.randrange(3, len(texts) - 2)
    return f"{' '.join(texts[:cut])}\n\n{' '.join(texts[cut:])}"


def _mail(texts: Sequence[str], rng: Random) -> str:
    """Return a thread of two messages, the older one quoted below the newer one."""
    cut = rng.randrange(1, len(texts)) if len(texts) > 1 else len(texts)
    about = f"Subject: {rng.choice(('Re: ', 'Fwd: ', ''))}{_worded('subjects', rng)}"
    head = f"{about}\n\n{_worded('greetings', rng)}\n\n{' '.join(texts[:cut])}"
    older = "\n".join(f"> {text}" for text in texts[cut:])
    return f"{head}\n\n{_worded('closings', rng)}\n\n{_worded('quoted', rng)}\n{older}"


def _rows(blocks: Sequence[Block], rng: Random) -> set[int]:
    """Return the places of the plain facts that stand in another form than a sentence."""
    plain = [place for place, one in enumerate(blocks) if one.row]
    return set(rng.sample(plain, rng.randint(min(1, len(plain)), min(_MOST_ROWS, len(plain)))))


def entry(plain: Block, form: str = QUESTIONS[0]) -> str:
    """Return a block of one plain fact, which has a row, as a question with its answer in a form of `QUESTIONS`."""
    assert plain.row is not None
    subject, attribute, value = plain.row
    answer = value[:1].upper() + value[1:]
    if plain.asks:
        return form.format(question=fill(plain.asks, {"S": subject}), answer=answer)
    fact = plain.statements[0]
    asked = WHO if isinstance(fact, Fact) and getattr(fact.value, "type", "") == "person" else OPEN
    return form.format(question=fill(asked, {"S": subject, "A": attribute}), answer=answer)


def line(plain: Block, form: str = GRID) -> str:
    """Return a block of one plain fact, which has a row, as a row of a table in a form of `ROWS`."""
    assert plain.row is not None
    return form.format(**dict(zip(("name", "entry", "value"), plain.row, strict=True)))


def _faq(blocks: Sequence[Block], pack: Pack, rng: Random) -> str:
    chosen = _rows(blocks, rng)
    form = rng.choice(QUESTIONS)
    parts = []
    for place, one in enumerate(blocks):
        if place in chosen:
            parts.append(entry(one, form))
        else:
            parts.append(" ".join(sentence.text for sentence in one.sentences))
    return "\n\n".join(parts)


def _table(blocks: Sequence[Block], rng: Random) -> str:
    """Return the text with some facts as a table of name, entry and value at its end."""
    chosen = _rows(blocks, rng)
    texts = [" ".join(s.text for s in one.sentences) for place, one in enumerate(blocks) if place not in chosen]
    rows = [one for place, one in enumerate(blocks) if place in chosen]
    if not rows:
        return _paragraphs(texts, rng)
    form = rng.choice(ROWS)
    head = " | ".join(_worded(column, rng) for column in ("first", "second", "third"))
    lines = [f"| {head} |", "|" + "".join("-" * rng.randint(3, 9) + "|" for _ in range(3))] if form == GRID else []
    lines += [line(one, form) for one in rows]
    return "\n\n".join([" ".join(texts), "\n".join(lines)])
