"""Work that samples share, and what a call leaves in a log."""

import anyio

from refusalbench_tasks.generators.kit.calls import (
    SharedCalls,
    prompt_hashes,
    text_digest,
)


def test_whoever_asks_first_does_the_work_and_the_others_wait() -> None:
    made: list[int] = []
    taken: list[tuple[int, bool]] = []

    async def make() -> int:
        await anyio.sleep(0.01)
        made.append(len(made))
        return made[-1]

    async def run() -> None:
        shared: SharedCalls[int] = SharedCalls()

        async def take() -> None:
            taken.append(await shared.take("key", make, 3))

        for _ in range(2):
            async with anyio.create_task_group() as group:
                for _ in range(3):
                    group.start_soon(take)

    anyio.run(run)
    # once all have had it, it is forgotten
    assert made == [0, 1]
    assert [result for result, _ in taken] == [0] * 3 + [1] * 3
    assert [mine for _, mine in taken].count(True) == 2


def test_digests_tell_the_parts_apart() -> None:
    assert text_digest("ab", "c") != text_digest("a", "bc")
    assert len(text_digest("a")) == 16
    hashes = prompt_hashes("refusalbench_tasks.generators")
    assert {"writer.txt", "criteria.yaml"} <= set(hashes)
