"""Treatments by the prompt: evidence first, codes last or none, a check of the
question, a critique of the reply.
"""

import re

from inspect_ai.solver import Solver, solver

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.solvers.treatments.treatment import Treated, treatment

# no class holds a line break: from each of many empty lines it would run to the end of
# the text
_REPLY = re.compile(r"^[ \t*_#>`]*REPLY[ \t*_`]*:[*_` ]*", re.MULTILINE | re.IGNORECASE)
_SECOND_LOOK = {"critique": "critique.txt", "final reply": "final_reply.txt"}
_FIRST_CODE = "REFUSE_AMBIGUOUS_QUERY\n"
_QUESTION = "QUESTION\n{{query}}"
_END = "ANSWER:"


@solver
def evidence_first() -> Solver:
    """Ask for the sentences that a reply rests on, word for word, before the reply; the
    reply alone is scored.

    A reply without the line `REPLY:` is scored as it is. In a chain it stands behind
    what changes the prompt.
    """

    async def step(treated: Treated) -> dict[str, object]:
        await treated.ask(ending_with(treated.prompt(), "evidence_first.txt"))
        evidence, reply = split_evidence(treated.reply)
        if evidence is not None and treated.whole:
            treated.reply = reply
        return {"evidence": evidence}

    return treatment("evidence_first", step)


def ending_with(template: str, prompt: str) -> str:
    """Return a template with a bundled text in the place of its closing cue, which a
    model completes.
    """
    closing = bundled("refusalbench_tasks.solvers", prompt)
    return f"{template.rstrip().removesuffix(_END).rstrip()}\n\n{closing}"


def split_evidence(text: str) -> tuple[str | None, str]:
    """Return what stands before the last line `REPLY:`, None if there is none, and what
    stands behind it.
    """
    *_, mark = [None, *_REPLY.finditer(text)]
    if mark is None:
        return None, text
    before = text[: mark.start()]
    behind = text[mark.end() :]
    return before.strip(), behind.strip()


@solver
def codes_last() -> Solver:
    """Ask with the table of codes behind the question and its passages instead of
    before them.

    The words are those of the bundled prompt. Raises DataError for a run with another
    prompt, or without codes.
    """
    return treatment(
        "codes_last", lambda treated: treated.ask(with_codes_last(treated.prompt()))
    )


def with_codes_last(template: str) -> str:
    """Return a template with its codes moved behind the passages.

    Raises DataError if it has no such parts.
    """
    rules, codes, rest = template.partition(_FIRST_CODE)
    table, question, item = rest.partition(_QUESTION)
    context, answer, tail = item.rpartition(_END)
    if not (codes and question and answer):
        raise DataError(
            "codes_last: needs the bundled prompt with its codes; leave out prompt= and"
            " codes=false"
        )
    rules = rules.replace("one of the codes below", "one of the codes at the end")
    return (
        f"{rules.rstrip()}\n\n{question}{context}CODES\n\n{codes}{table}{answer}{tail}"
    )


@solver
def no_codes() -> Solver:
    """Ask without any codes: answer, or say in words that the text gives no answer.

    A grader finds the category.
    """

    async def step(treated: Treated) -> None:
        if treated.settings.get("prompt"):
            raise DataError("no_codes: has a prompt of its own; leave out prompt=")
        await treated.ask(treated.prompt(codes=False))

    return treatment("no_codes", step)


@solver
def check_then_answer() -> Solver:
    """Ask first whether the question can be answered from the text as it stands, and
    then for the reply.
    """

    async def step(treated: Treated) -> None:
        await treated.ask(ending_with(treated.prompt(), "check.txt"))
        if treated.whole:
            await treated.ask_further("check_answer.txt")

    return treatment("check_then_answer", step)


@solver
def self_check() -> Solver:
    """Ask for a reply, for a critique of it, and for the final reply, which is scored.

    Behind another treatment in a chain it takes that one's reply. The authors of
    RefusalBench report that such correction lowers refusal accuracy. A reply that was
    cut off or stopped is not criticised. If the critique or the final reply is empty,
    cut off or stopped, the first reply is scored, and the note says why.
    """

    async def step(treated: Treated) -> dict[str, object]:
        if not treated.state.output.choices:
            await treated.ask()
        first = treated.reply
        kept = await treated.reconsider(_SECOND_LOOK) if treated.whole else {}
        return treated.since(first) | kept

    return treatment("self_check", step)
