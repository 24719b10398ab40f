"""Who people of scripts are, by what they do for a thing, and what there is about it, from `scripts/words.yaml`."""

from importlib.resources import files
from typing import Any

import yaml

_SINGULAR = frozenset({"paperwork", "mail", "newsletter", "stationery", "calendar"})
_WORDS: dict[str, Any] = yaml.load(
    (files("refusalbench_tasks.worlds") / "scripts" / "words.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)


def _cared(does: str, do: str, doing: str, done: str, task: str, who: str) -> dict[str, str]:
    what = task.removeprefix("the ")
    return {
        "cares": f"{does} {task}",
        "care": f"{do} {task}",
        "caring": f"{doing} {task}",
        "carer": f"{who} {task}" if who.endswith(" of") else f"{who} who {does} {task}",
        "cared": what,
        "by": f"{'is' if what.split()[0] in _SINGULAR else 'are'} {done} by",
    }


BYNAMES: tuple[str, ...] = tuple(_WORDS["bynames"])
"""What things and people are called by those who know them."""
CARES = tuple(_cared(*one) for one in _WORDS["tasks"])
"""What people have to do with a thing; a quad shares one line."""
FILES = tuple(f"{one} on" for one in _WORDS["files"])
"""What there is about a thing; a quad shares one."""
WHO = f"({'|'.join(_WORDS['who'])}) {{S}}"
"""Who somebody is, by what she does for a thing; it stands between commas behind her name."""
