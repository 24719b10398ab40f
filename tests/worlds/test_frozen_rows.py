"""The rows of a seed stay the same, byte for byte, as long as the version of their
generator stands.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from refusalbench_tasks.worlds import quad, source_question
from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad_rows import quad_rows
from refusalbench_tasks.worlds.source_rows import source_rows

SEED = 3


def digest(rows: Iterable[dict[str, Any]]) -> str:
    content = sha256()
    for row in rows:
        content.update(json.dumps(row, ensure_ascii=False).encode())
    return content.hexdigest()[:24]


def test_rows_of_quads_are_those_of_their_version() -> None:
    assert quad.VERSION == "RBW11"
    one_passage = quad_rows(SEED, 0, 360, DOMAINS)
    ten_passages = quad_rows(SEED, 0, 48, DOMAINS, "grounding")
    assert digest(one_passage) == "641ffa641df995f7872b257b"
    assert digest(ten_passages) == "57c68603e050c019535f77b0"
    hard = quad_rows(SEED, 0, 48, DOMAINS, "hard")
    assert digest(hard) == "f500f2b9accdceb3d7a2cc5d"


def test_rows_with_sources_are_those_of_their_version() -> None:
    assert source_question.VERSION == "RBH7"
    assert digest(source_rows(SEED, 0, 144)) == "3e5d5e4e0014e16811b9bc07"
    two_domains = source_rows(SEED, 0, 16, ("halls", "buses"))
    assert digest(two_domains) == "8b33ec1de93ff8594eb75ae6"
