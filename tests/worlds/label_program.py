"""The label of what was read, found by an answer set program (clingo)."""

from dataclasses import dataclass, field

PROGRAM = """
thing(T) :- named(T).
denied :- denial(T), thing(T).
own(T,S,V,U) :- value(T,S,V,own,U), thing(T).
some :- own(_,_,_,_).
elsewhere :- value(T,_,_,other,_), thing(T).
clash :- own(T,S,V,_), own(T,S,W,_), V < W.
differ :- own(_,_,V,_), own(_,_,W,_), V < W.
open :- own(_,_,_,U), U < Y, year(Y).
graded :- grade(T,_), thing(T).
fits :- grade(T,G), word(G), thing(T).

label(false_premise) :- denied.
label(nonfactual) :- kind(grade), not graded, not denied.
label(answer) :- kind(grade), graded, not denied.
plain :- not kind(grade), not denied.
label(missing) :- plain, not some, not elsewhere.
label(granularity) :- plain, not some, elsewhere.
label(contradictory) :- plain, clash.
label(ambiguous) :- plain, differ, not clash.
single :- plain, some, not differ.
label(nonfactual) :- single, kind(future), open.
label(answer) :- single, not kind(future).
label(answer) :- single, kind(future), not open.
impure :- denied, some.
impure :- some, elsewhere.
#show label/1. #show impure/0. #show fits/0.
"""
CODES = {
    "false_premise": "REFUSE_FALSE_PREMISE_IN_QUERY",
    "nonfactual": "REFUSE_NONFACTUAL_QUERY",
    "missing": "REFUSE_INFO_MISSING_IN_CONTEXT",
    "granularity": "REFUSE_GRANULARITY_MISMATCH",
    "contradictory": "REFUSE_CONTRADICTORY_CONTEXT",
    "ambiguous": "REFUSE_AMBIGUOUS_QUERY",
    "answer": "ANSWER_CORRECTLY",
}


@dataclass
class Facts:
    """What documents state of the things of one name about one noun: values as (thing, sense, number, level, until)."""

    named: set[tuple[str, str]] = field(default_factory=set)
    values: set[tuple[str, str, int, str, int]] = field(default_factory=set)
    denied: set[str] = field(default_factory=set)
    grades: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True)
class Answered:
    """A label, and the answer as a number, or as a word."""

    label: str
    value: int | None = None
    word: str = ""


def decide(facts: Facts, name: str, kind: str, word: str, year: int) -> Answered:
    """Return the one label that the program allows. Raises AssertionError if it allows none or several."""
    import clingo

    things = {thing: f"t{number}" for number, (_, thing) in enumerate(sorted(facts.named))}
    numbers = {one: place for place, one in enumerate(sorted({value for _, _, value, _, _ in facts.values}))}
    senses = {one: f"s{place}" for place, one in enumerate(sorted({sense for _, sense, *_ in facts.values}))}
    lines = [f"named({things[thing]})." for bearer, thing in facts.named if bearer == name]
    lines += [f"value({things[t]},{senses[s]},{numbers[v]},{level},{u})." for t, s, v, level, u in facts.values]
    lines += [f"denial({things[thing]})." for thing in facts.denied]
    lines += [f"grade({things[thing]},{grade})." for thing, grade in facts.grades]
    lines += [f"kind({kind}).", f"year({year}).", *([f"word({word})."] if word else [])]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], PROGRAM + "\n".join(lines))
    control.ground([("base", [])])
    shown: list[set[str]] = []
    control.solve(on_model=lambda model: shown.append({str(one) for one in model.symbols(shown=True)}))
    (model,) = shown
    labels = [one for one in CODES if f"label({one})" in model]
    assert len(labels) == 1, (labels, facts)
    assert "impure" not in model, facts
    if labels != ["answer"]:
        return Answered(CODES[labels[0]])
    if kind == "grade":
        return Answered(CODES["answer"], None, "yes" if "fits" in model else "no")
    return Answered(CODES["answer"], max(value for _, _, value, level, _ in facts.values if level == "own"))
