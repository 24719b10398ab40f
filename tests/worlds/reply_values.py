"""Surface forms of the right value of a row, and of wrong values."""

import random
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

Row = Mapping[str, Any]

_ONES_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""
ONES = _ONES_WORDS.split()
_TENS_WORDS = """
twenty thirty forty fifty sixty seventy eighty ninety
"""
TENS = _TENS_WORDS.split()
_MONTHS_WORDS = """
January February March April May June July August September October November December
"""
MONTHS = _MONTHS_WORDS.split()


def in_words(number: int) -> str:
    """Return a number below a million in words."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{ONES[number // 100]} hundred" + (f" and {in_words(number % 100)}" if number % 100 else "")
    rest = number % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{in_words(number // 1000)} thousand" + (joint + in_words(rest) if rest else "")


def right_forms(row: Row, rng: random.Random) -> list[str]:
    """Return ways to write the answer."""
    gold = str(row["original_answers"][0])
    return forms(row["answer_type"], gold, row, rng)


def forms(kind: str, gold: str, row: Row, rng: random.Random) -> list[str]:
    """Return ways to write a value of a type."""
    if kind in ("count", "money", "measure"):
        return number_forms(gold)
    if kind == "date":
        return date_forms(parsed_date(gold))
    if kind == "time":
        return time_forms(gold)
    if kind == "names":
        return list_forms(items_of(gold), rng)
    if kind == "person":
        return [gold, gold, *short_names(gold, row)]
    if kind == "entity":
        return [gold, gold.removeprefix("the "), *short_names(gold.removeprefix("the "), row)]
    if kind == "kind":
        bare = re.sub(r"^(?:the|a|an) ", "", gold)
        return [gold, gold, bare]
    return [gold]


def number_forms(gold: str) -> list[str]:
    """Return a number as digits and words, with and without its unit and its separators."""
    digits, _, unit = gold.partition(" ")
    number = int(digits.replace(",", "")) if re.fullmatch(r"[\d,]+", digits) else None
    plain = digits.replace(",", "")
    made = [digits, plain]
    if number is not None and number < 10_000 and "million" not in unit and "billion" not in unit:
        made.append(in_words(number))
    if "million" in unit or "billion" in unit:
        made = [digits]
    with_unit = [f"{one} {unit}".strip() for one in made]
    if unit == "per cent":
        with_unit += [f"{digits}%", f"{digits} percent"]
    harmless = made if unit and "million" not in unit and "billion" not in unit and number != 1 else []
    return with_unit + harmless


def parsed_date(text: str) -> date:
    """Return the date of `4 March 1987`."""
    day, month, year = text.split()
    return date(int(year), MONTHS.index(month) + 1, int(day))


def date_forms(day: date) -> list[str]:
    """Return a date in the orders that are unmistakable."""
    month, number = MONTHS[day.month - 1], day.day
    nth = f"{number}{'th' if 10 < number < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
    return [
        f"{number} {month} {day.year}",
        f"{month} {number}, {day.year}",
        f"{nth} {month} {day.year}",
        f"the {nth} of {month} {day.year}",
        f"{month} {nth}, {day.year}",
        f"{number} {month[:3]} {day.year}",
        day.isoformat(),
    ]


def time_forms(gold: str) -> list[str]:
    """Return a time of day with 24 and with 12 hours."""
    hour, minute = (int(part) for part in gold.split(":"))
    half, twelve = ("am" if hour < 12 else "pm"), hour % 12 or 12
    return [gold, f"{twelve}:{minute:02} {half}", f"{twelve}.{minute:02} {half[0]}.m.", f"{hour}.{minute:02}"]


def items_of(gold: str) -> list[str]:
    """Return the items of a list in words."""
    return re.split(r", | and ", gold)


def list_forms(items: list[str], rng: random.Random) -> list[str]:
    """Return a list in other orders, with other joints."""
    mixed = rng.sample(items, len(items))
    made = [", ".join(items[:-1]) + f" and {items[-1]}", ", ".join(mixed), "; ".join(mixed)]
    made.append(", ".join(mixed[:-1]) + (", and " if len(items) > 2 else " and ") + mixed[-1])
    return made


def text_of(row: Row) -> str:
    """Return the question and the passage."""
    question = str(row.get("perturbed_query") or row["query"])
    shown = row.get("grounding") or [{"text": row["perturbed_context"]}]
    return question + "\n" + "\n".join(str(one["text"]) for one in shown)


def short_names(name: str, row: Row) -> list[str]:
    """Return the last or first part of a name that stands in the text in this name only."""
    text, parts = text_of(row), name.split()
    if len(parts) < 2:
        return []
    invented = [part for part in (parts[-1], parts[0]) if re.search(r"[a-z]", part) and part not in COMMON]
    alone = [p for p in invented if len(re.findall(rf"\b{p}\b", text)) == len(re.findall(re.escape(name), text)) > 0]
    return alone[:1]


_COMMON_WORDS = """
Arms Inn Tavern Lodge Clinic Centre Hall Station Club School Truck Trainer Teacher Coach Shop House Institute
Lab Laboratory Service Point Library Contract Lease Editor Browser Heater Washer
"""
COMMON = frozenset(_COMMON_WORDS.split())


def wrong_forms(row: Row, twin: Row, rng: random.Random) -> list[str]:
    """Return values of the same type that are not the answer, in many forms; none if the row offers none."""
    kind, gold, other = row["answer_type"], str(row["original_answers"][0]), str(twin["original_answers"][0])
    wrong: list[str] = []
    if kind == "flag":
        return ["no" if gold == "yes" else "yes"]
    if kind == "year":
        wrong = [str(int(gold) + step) for step in (-1, 1, 10)] + [other]
    elif kind in ("count", "money", "measure"):
        digits, _, unit = gold.partition(" ")
        number = int(digits.replace(",", ""))
        wrong = [f"{abs(number + step):,} {unit}".strip() for step in (1, 10, 100)] + [other]
        wrong = [form for one in wrong for form in number_forms(one)]
        return [one for one in wrong if one not in number_forms(gold)]
    elif kind == "date":
        wrong = [one for step in (1, 31, 365) for one in date_forms(parsed_date(gold) + timedelta(step))]
        wrong.append(other)
    elif kind == "time":
        hour, minute = gold.split(":")
        wrong = [f"{(int(hour) + 1) % 24:02}:{minute}", f"{hour}:{(int(minute) + 5) % 60:02}"]
    elif kind == "names":
        wrong = wrong_lists(items_of(gold), items_of(other), rng)
    elif kind == "entity":
        subjects = re.search(r"subjects=\(([^)]*)\)", row["logical_form"])
        wrong = [one.strip(" '\"") for one in subjects[1].split(",")] if subjects else []
        wrong = [one for one in wrong if one] + [other]
    elif kind == "kind":
        # another phrase may mean the same; one that the text gives to another thing does not
        wrong = [one for one in (other, *options_of(row)) if f" {one.lower()}" in text_of(row).lower()]
    else:
        wrong = [other, *names_in(row, 2 if kind == "person" else 1)]
    known = {word.lower() for answer in row["original_answers"] for word in re.findall(r"\w+", answer)} - {"the", "a"}
    if kind in ("person", "place", "kind", "entity"):
        common = {word.lower() for word in COMMON} if kind == "entity" else set()
        wrong = [one for one in wrong if not (set(re.findall(r"\w+", one.lower())) - common) & known]
    return [one for one in wrong if one != gold]


def wrong_lists(items: list[str], others: list[str], rng: random.Random) -> list[str]:
    """Return lists that lack an item, have one too many, or another for one."""
    strange = [one for one in others if one not in items] or ["a lighthouse"]
    made = [items[:-1], [*items, strange[0]], [*items[:-1], strange[0]]]
    if len(items) == 2:
        made = [*made[1:], [items[0]]]
    return [form for one in made for form in (list_forms(one, rng) if len(one) > 1 else one)]


def options_of(row: Row) -> list[str]:
    """Return the things that a question of choice offers."""
    question = str(row.get("perturbed_query") or row["query"])
    found = re.search(r"(the [a-z ]+), (the [a-z ]+) or (the [a-z ]+)[ ?]", question)
    return [one.strip() for one in found.groups()[:2]] if found else []


def names_in(row: Row, length: int) -> list[str]:
    """Return names of so many words in the passage that the question does not have."""
    question = str(row.get("perturbed_query") or row["query"])
    text = text_of(row).removeprefix(question)
    found = re.findall(r"(?<=[a-z] )(?:[A-Z][a-z]+ ?){1,3}(?![A-Za-z])", text)
    whole = {one.strip() for one in found if len(one.split()) == length}
    return sorted(one for one in whole if one not in question and not set(one.split()) & set(question.split()))
