"""From a passage in any register to its sentences, one after the other."""

import re

from refusalbench_tasks.worlds.reader.unreadable import Unreadable

HEADS = re.compile(
    r"^(?:dear\b.*,|(?:with |kind(?:est)? |best |many |warm |yours )[\w ,]*|regards,?|(?:[a-z-]+ )?memo(?:randum)?|"
    r"notes? (?:for|to) the \w+|circular|for the noticeboard|desk note|handover sheet|briefing|"
    r"(?:subject|re|to|from|date|topic|concerning|about|in re): .*|from the minutes:?|"
    r"minutes.*:|earlier message:?|hello.*,|hi\b.*,|good (?:morning|afternoon|evening|day)\b.*,|"
    r"to whom it may concern,|thanks[^.!?]*|all the best[a-z ]*,?|until [a-z ]+,?|see you [a-z ]+,?)$",
    re.IGNORECASE,
)
"""Lines that only belong to a letter's, memo's or mail's form."""
BULLET = re.compile(r"^(?:[-*•–·+>]|\(?[0-9]{1,2}[.)]|\([a-z]{1,2}\)|[a-z]\))\s+")
ROW = re.compile(r"^\|(.*)\|$")
ENTERED = re.compile(
    r"^(?P<name>[\w' -]+?)(?: — (?P<dashed>[^—:]+): | \((?P<aside>[^():]+)\): |: (?P<equal>[^:=.]+) = |"
    r" / (?P<slashed>[^/.]+) / |; (?P<listed>[^;.]+); | (?P<mark>[–→·~]) (?P<marked>[^.–→·~]+) (?P=mark) )"
    r"(?P<value>.*[^.])$"
)
"""A line that gives an entry of a thing without the form of a grid: `NAME — ENTRY: VALUE`, `NAME (ENTRY): VALUE`,
`NAME: ENTRY = VALUE`, `NAME / ENTRY / VALUE`, `NAME; ENTRY; VALUE`,
or with a dash, an arrow, a dot or a tilde twice."""
BETWEEN = ("dashed", "aside", "equal", "slashed", "listed", "marked")
"""The groups of `ENTERED` that may hold the entry."""
ASKER = r"(?:Q(?:uestion)?|Asked|Query|Enquiry|Visitor|Reader|Caller|Guest|Newcomer|Pupil)[:.] "
ANSWERER = re.compile(r"^(?:(?:A(?:nswer)?|Told|Reply|Response|Desk|Editor|Clerk|Host|Guide|Teacher)[:.]|–) ")
ANSWERED = re.compile(
    rf"^(?:{ASKER})?(?P<question>[^.?]*(?:\b(?:Dr|Mr|Ms|St)\.[^.?]*)*\?)(?: (?:[–→/] )?(?P<answer>\S.*))?$"
)
"""A line that asks something, and may go on with the answer."""
END = re.compile(r"(?<=[.!?])[\"”’']?\s+(?=[\"“‘'(\[]?[A-Z0-9]|\[[a-z])")
ABBREVIATED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|St|No|approx|ca|e\.g|i\.e)\.$")


def sentences(passage: str) -> list[str]:
    """Return the sentences of a passage in order.

    Heads and greetings are left out; a table's row becomes `The ENTRY of NAME is VALUE.`, a question with its answer
    `QUESTION\tANSWER`. Raises Unreadable for a row whose entry is none.
    """
    found: list[str] = []
    head: list[str] = []
    lines = [raw.strip() for raw in passage.splitlines()]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        row = ROW.match(line)
        if row:
            cells = [cell.strip() for cell in row[1].split("|")]
            found += _row(head, cells)
            head = head or cells
            continue
        head = []
        line = re.sub(r"^(?:>\s*)+", "", line)
        if not line or HEADS.match(line) or (ROW.match(after) and not line.endswith(".")) or line.endswith(":"):
            continue
        asked, entered = ANSWERED.match(line), ENTERED.match(line)
        if found and found[-1].startswith("\t"):
            found[-1] = found[-1][1:] + "\t" + ANSWERER.sub("", line)
        elif asked:
            found.append(f"{asked['question']}\t{asked['answer']}" if asked["answer"] else "\t" + asked["question"])
        elif entered:
            found.append(
                _entry(entered["name"], next(entered[one] for one in BETWEEN if entered[one]), entered["value"])
            )
        else:
            found += split(BULLET.sub("", line))
    return found


def split(line: str) -> list[str]:
    """Return the sentences of a line."""
    found: list[str] = []
    for piece in END.split(line):
        if found and ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        else:
            found.append(piece)
    return found


EMPTY = re.compile(
    r"^(?:\(.*\)|[-–—.?]*|n/?a|not entered|none|no entry|nothing entered|left blank|missing|empty)$", re.IGNORECASE
)
"""Cells without a value."""
ENTRIES = frozenset(
    {"entry", "item", "field", "heading", "point", "particular", "detail", "aspect", "matter", "label", "key"}
    | {"attribute", "topic", "question", "rubric"}
)
"""Heads of a column that says what the next one gives."""


def _row(head: list[str], cells: list[str]) -> list[str]:
    if not head or EMPTY.match(cells[0]) or set("".join(cells)) <= set("-: "):
        return []
    if len(head) == 3 and head[1].lower() in ENTRIES:
        return [] if EMPTY.match(cells[2]) else [_entry(*cells)]
    pairs = zip(head[1:], cells[1:], strict=True)
    return [
        f"The {entry[:1].lower()}{entry[1:]} of {cells[0]} is {cell}." for entry, cell in pairs if not EMPTY.match(cell)
    ]


def _entry(name: str, entry: str, value: str) -> str:
    """Return an entry of a thing as a sentence. Raises Unreadable if what stands in its place is a number or a name."""
    if not entry[:1].islower():
        raise Unreadable(entry, "no entry that a thing could have")
    return f"The {entry} of {name} is {value}."
