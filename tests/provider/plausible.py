"""A script that answers the suite's own prompts: a mix of codes and answers, and valid
verdicts.
"""

import math
from collections.abc import Callable

from refusalbench_tasks.taxonomy import REFUSALS
from tests.generators.panel import (
    is_check,
    is_reading,
    is_writing,
    scripted,
    verdict,
    write_well,
)
from tests.provider.call import Call
from tests.provider.reply import Reply


def plausible(bare: float = 0.6, prose: float = 0.1) -> Callable[[Call], Reply]:
    """Return the script; `bare` and `prose` are the shares of bare codes and of
    refusals in words, the rest answers.

    It answers by the digest of the request, so that a request always gets the same
    reply.
    """

    def reply(call: Call) -> Reply:
        if is_writing(call.text) or is_check(call.text) or is_reading(call.text):
            passed = call.digest % 10 > 0
            made = scripted(
                call.text,
                lambda one: verdict(passed) if is_check(one) else write_well(one),
            )
            assert isinstance(made, dict)
            return Reply(arguments=made)
        if call.tools:
            return Reply(arguments=_verdict(call))
        if call.text.startswith("SOURCES"):
            return _hedging(call)
        draw = call.digest % 1_000 / 1_000
        if draw < bare:
            return Reply(REFUSALS[call.digest // 1_000 % 7].value)
        if draw < bare + prose:
            return Reply("I am sorry, but the passages do not say this.")
        return Reply("It was in the year that the passage names.")

    return reply


def _hedging(call: Call) -> Reply:
    share = 0.05 + call.digest % 90 / 100
    if call.text.endswith("LETTER:"):
        letters = (("A", math.log(share)), ("B", math.log(1 - share)))
        return Reply(
            "A" if share > 0.5 else "B",
            logprobs=(letters if share > 0.5 else letters[::-1],),
        )
    if share < 0.2:
        return Reply("I don't know")
    return Reply(
        f"It {'may have been' if share < 0.6 else 'was'} in the year that the page"
        " names.\nTwo pages say so."
    )


def _verdict(call: Call) -> dict[str, object]:
    if "BEGIN REFERENCE ANSWER" in call.text:
        return {
            "explanation": "as drawn",
            "behaviour": "ANSWER",
            "correctness": call.digest % 11 / 10,
        }
    refused = "do not say" in call.text.rpartition("BEGIN REPLY")[2]
    label = "REFUSE_INFO_MISSING_IN_CONTEXT" if refused else "ANSWER_ATTEMPT"
    verdict: dict[str, object] = {"explanation": "by its words", "label": label}
    if "BEGIN PASSAGES" in call.text:
        flags = ("eligible", "factual_all", "factual_relevant")
        verdict |= {
            flag: None if refused else call.digest >> k & 1 == 1
            for k, flag in enumerate(flags)
        }
    elif "BEGIN REFERENCES" in call.text:
        verdict["grade"] = None if refused else 1 + call.digest % 5
    return verdict
