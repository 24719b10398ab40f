"""Whether a text counts the things that a question asks the number of, under the name that it has them of."""

import re
from collections.abc import Sequence

from refusalbench_tasks.generators.kit.text.answer_places import counted_at
from refusalbench_tasks.generators.kit.text.content_words import is_content
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.rewording import matched
from refusalbench_tasks.generators.values import is_year

_HOW_MANY = re.compile(r"\bhow many (?P<things>[\w'’-]+)", re.IGNORECASE)


def tells_count(question: str, asked: frozenset[str], said: Sequence[str]) -> bool:
    """Return whether one sentence counts what a question asks the number of, and another has the rest of its words.

    Both must have all names of the question, so that both speak of what it asks about.
    """
    found = _HOW_MANY.search(question)
    names = {one.form for one in typed_tokens(question) if one.is_name and not one.opens and is_content(one)}
    if not found or not names:
        return False
    things = {one.form for one in typed_tokens(found["things"])}
    told = [one for one in said if names <= {token.form for token in typed_tokens(one)}]
    return any(
        things & _counted(one) and matched(asked, f"{one} {other}") == len(asked) for one in told for other in told
    )


def _counted(text: str) -> set[str]:
    """Return the things that a text counts."""
    tokens = typed_tokens(text)
    numbers = [at for at, one in enumerate(tokens) if one.kind == "number" and not is_year(one)]
    return {thing.form for at in numbers if (thing := counted_at(tokens, at))}
