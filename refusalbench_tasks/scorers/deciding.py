"""The decision about one sample's reply: by form, else by the judge, and only once for all scorers."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import CallFailed, refused_by_provider
from refusalbench_tasks.judging.graders import find_graders
from refusalbench_tasks.judging.grounding import Raf, grounding_rubric
from refusalbench_tasks.judging.label import judge_reply
from refusalbench_tasks.judging.rubric import LABEL_ONLY, Rubric, grade_rubric
from refusalbench_tasks.outcome import JudgeMode, Protocol
from refusalbench_tasks.replies.outside_text import problem_of, reply_of
from refusalbench_tasks.scorers.decision import Decision, decide_by_form, decide_by_votes


@dataclass(frozen=True)
class Settings:
    """How replies are decided; `grounded` grades answers against ten passages instead of gold aliases."""

    judge: JudgeMode
    confidence: bool
    grounded: bool
    protocol: Protocol = "paper"
    raf: Raf = "reply"


_DECIDED: WeakKeyDictionary[TaskState, dict[tuple[object, ...], Decision]] = WeakKeyDictionary()
# Two scorers need the decision and only one judge call may be paid for. A log's stored state must not be trusted for
# it: `inspect score` runs on old logs with another judge. So it is kept for the life of the state object only.


async def decide(state: TaskState, settings: Settings) -> Decision:
    """Return the decision about a sample's reply; asked twice for one state, it is made once."""
    key: tuple[object, ...] = (settings.judge, settings.confidence, settings.grounded)
    if settings.grounded:
        key += (settings.protocol, settings.raf)
    made = _DECIDED.setdefault(state, {})
    if key not in made:
        try:
            made[key] = await _decide(state, settings)
        except CallFailed as failed:
            raise failed.error from None
        except DataError:
            raise
        except Exception as error:
            # one text that our own code cannot take costs its row, never the run
            made[key] = Decision("", "free text", reason="scoring_failed", explanation=problem_of(error))
    return made[key]


async def _decide(state: TaskState, settings: Settings) -> Decision:
    item = state.metadata_as(RefusalItem)
    stop = "content_filter" if refused_by_provider(state.output) else state.output.stop_reason
    reply = reply_of(state.output)
    decision = decide_by_form(item, reply, stop, settings.judge, settings.confidence)
    if not decision.open:
        return decision
    graders = find_graders()
    rubric = _rubric(item, decision.body, settings)
    votes = await collect(*(judge_reply(model, item.query, decision.body, rubric) for model in graders.models))
    return decide_by_votes(decision, votes, rubric, item.answerable, graders.self_graded)


def _rubric(item: RefusalItem, reply: str, settings: Settings) -> Rubric:
    if item.answerable and settings.grounded:
        return grounding_rubric(item, reply, settings.protocol, settings.raf)
    if item.answerable:
        return grade_rubric(item.answers)
    return grade_rubric(()) if settings.judge == "always" and not settings.grounded else LABEL_ONLY
