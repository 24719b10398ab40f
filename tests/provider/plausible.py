"""A script that answers the suite's own prompts: a mix of codes and answers, and valid verdicts."""

from refusalbench_tasks.taxonomy import REFUSALS
from tests.provider.call import Call
from tests.provider.reply import Reply


def plausible(bare: float = 0.6, prose: float = 0.1) -> "Plausible":
    """Return the script; `bare` and `prose` are the shares of bare codes and of refusals in words, the rest answers."""
    return Plausible(bare, prose)


class Plausible:
    """Answers by the digest of the request, so that a request always gets the same reply."""

    def __init__(self, bare: float, prose: float) -> None:
        self.bare, self.prose = bare, prose

    def __call__(self, call: Call) -> Reply:
        """Return a verdict for a judge's prompt, else a reply of the mix."""
        if call.tools:
            return Reply(arguments=self._verdict(call))
        draw = call.digest % 1_000 / 1_000
        if draw < self.bare:
            return Reply(REFUSALS[call.digest // 1_000 % 7].value)
        if draw < self.bare + self.prose:
            return Reply("I am sorry, but the passages do not say this.")
        return Reply("It was in the year that the passage names.")

    def _verdict(self, call: Call) -> dict[str, object]:
        refused = "do not say" in call.text.rpartition("BEGIN REPLY")[2]
        label = "REFUSE_INFO_MISSING_IN_CONTEXT" if refused else "ANSWER_ATTEMPT"
        verdict: dict[str, object] = {"explanation": "by its words", "label": label}
        if "BEGIN PASSAGES" in call.text:
            flags = ("eligible", "factual_all", "factual_relevant")
            verdict |= {flag: None if refused else call.digest >> k & 1 == 1 for k, flag in enumerate(flags)}
        elif "BEGIN REFERENCES" in call.text:
            verdict["grade"] = None if refused else 1 + call.digest % 5
        return verdict
