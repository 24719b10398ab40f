"""What treatments share: they ask with the prompt of the run and what they add to it,
and note what they did.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState

from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.outcome import Reason
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.prompting.refusal_template import filled_prompt, prompt_text
from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.replies.confidence import split_confidence
from refusalbench_tasks.replies.decision import no_reply_reason
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.refusal_prompt import one_reply, refusal_item
from refusalbench_tasks.solvers.treatments import NOTES

_ADDED = "refusalbench:prompt_additions"


class Treated:
    """A sample under a treatment. Raises DataError for one of another task."""

    def __init__(
        self,
        treatment: str,
        state: TaskState,
        generate: Generate,
    ) -> None:
        self.item = refusal_item(state, treatment)
        self.state = state
        self._generate = generate
        self.settings: Mapping[str, Any] = state.metadata.get(SETTINGS) or {}
        """How the run asks and scores; empty in a task of one's own."""
        self.grounded = bool(self.settings.get("grounded"))
        self.asks_confidence = bool(self.settings.get("confidence"))
        self.calls = 0

    @property
    def reply(self) -> str:
        """Return the reply as it stands."""
        return reply_of(self.state.output)

    @reply.setter
    def reply(self, text: str) -> None:
        self.state.output = with_text(self.state.output, text)

    @property
    def whole(self) -> bool:
        """Return whether there is a reply that was neither cut off nor stopped: no
        other is worth a second look.
        """
        return unusable_reason(self.state.output, level_counts=True) is None

    def prompt(self, codes: bool = True) -> str:
        """Return the template that the run would ask with, without codes where the run
        or the treatment has none.

        Raises DataError for a run that asks in another language.
        """
        if self.settings.get("prompt_language"):
            raise DataError("treatments are in English; leave out prompt_language=")
        name = "garage" if self.grounded else "nq"
        if not codes or self.settings.get("codes") is False:
            name = f"{name}_free"
        return prompt_text(
            self.settings.get("prompt"),
            self.asks_confidence,
            f"{name}.txt",
            bool(self.settings.get("ask")),
        )

    def add(self, text: str) -> None:
        """Remember a text that stands before the question whenever the sample is asked,
        behind those added before.
        """
        store = self.state.store
        added: list[str] = store.get(_ADDED, [])
        store.set(_ADDED, [*added, text])

    async def ask(self, template: str = "") -> None:
        """Ask by a template, or by the run's, with what treatments have added before
        its question.
        """
        item = self.item
        added = "\n\n".join(self.state.store.get(_ADDED, []))
        template = template or self.prompt()
        self.state.messages = []
        await self._say(
            filled_prompt(
                template,
                item.query,
                item.passages,
                self.grounded,
                added,
            )
        )

    async def ask_further(self, prompt: str) -> None:
        """Ask in the same conversation, with a bundled text."""
        await self._say(bundled("refusalbench_tasks.solvers", prompt))

    async def _say(self, text: str) -> None:
        self.state.messages.append(ChatMessageUser(content=text))
        self.state = await one_reply(self.state, self._generate)
        self.calls += 1

    def since(self, first: str) -> dict[str, object]:
        """Return the reply that there was at first, and whether its
        kind has changed.
        """
        return {"first_reply": first, "changed": kind_of(first) != kind_of(self.reply)}

    async def reconsider(self, steps: Mapping[str, str]) -> dict[str, object]:
        """Ask further, step by step (name and prompt), and keep the reply at first if a
        step's output is unusable.

        Returns the step and why, empty if every output was usable: a failed second look
        says nothing of the first.
        """
        first = self.state.output
        for step, prompt in steps.items():
            await self.ask_further(prompt)
            reason = unusable_reason(self.state.output)
            if reason is not None:
                self.state.output = first
                return {"unusable_step": step, "unusable_reason": reason}
        return {}


def treatment(
    name: str, step: Callable[[Treated], Awaitable[Mapping[str, object] | None]]
) -> Solver:
    """Return the solver that takes a step on each sample, and notes its calls and the
    facts that it returns.

    A step without calls and facts leaves the asking to another treatment, and is not
    noted.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        treated = Treated(name, state, generate)
        facts = await step(treated)
        if facts is not None or treated.calls:
            notes = treated.state.metadata.setdefault(NOTES, [])
            notes.append({"name": name, "calls": treated.calls} | dict(facts or {}))
        return treated.state

    return solve


def with_text(output: ModelOutput, text: str) -> ModelOutput:
    """Return an output with another text; the messages keep the model's own words.

    The text stands in its message, too: Inspect takes an empty completion of a log from
    there.
    """
    changed = output.model_copy(deep=True)
    changed.message.text = text
    changed.completion = text
    return changed


def unusable_reason(output: ModelOutput, level_counts: bool = False) -> Reason | None:
    """Return why an output is no usable reply: `provider_refusal`, `truncated`,
    `no_response`; None if it is one.

    Some providers give no reason for the end of a reply.
    `level_counts`: a line of confidence by itself is a reply; a treatment has yet to
    take it off.
    """
    reply = reply_of(output)
    body = reply if level_counts else split_confidence(reply).body
    return no_reply_reason(stop_of(output), parse_reply(body).form)


def kind_of(reply: str) -> str:
    """Return what a reply is by its form: its refusal code, else `answer`.

    It only steers a treatment, no score.
    """
    label = parse_reply(split_confidence(reply).body).label
    return label.value if label is not None else "answer"


def says_something(body: str) -> bool:
    """Whether a reply without its line of confidence is more than blanks and
    decoration.
    """
    return parse_reply(body).form != "empty"
