"""Where pages are looked for, and which of them are read."""

from typing import Any

from tests.collect.panel import (
    metrics,
    noted,
    reader,
    run,
    write,
)
from tests.collect.site import Site
from tests.collect.web.test_engines import USE, citing, reply, text
from tests.models import part


def test_addresses_that_lead_to_closed_places_are_refused_inside_the_task(
    site: Site,
) -> None:
    site.traps = True
    (one,) = noted(run(site.engine(), locks=1))
    refused = {
        name.removeprefix("left_out/refused: ")
        for name in one.looked
        if "refused" in name
    }
    assert refused == {
        "not a public address",
        "the name leads to an address that is not public",
    }
    assert one.accepted
    assert not [
        path for _, path, _ in site.seen if "secret" in path or "meta-data" in path
    ]


def test_the_role_searcher_or_else_the_writer_searches_for_records(
    site: Site,
) -> None:
    asked: list[str] = []

    def search(prompt: str) -> Any:
        query = part(prompt, "QUERY")
        asked.append(query)
        return reply(USE, text(*(citing(url) for url in site.found(query)[:20])))

    def both(prompt: str) -> Any:
        return search(prompt) if prompt.startswith("Search the web") else write(prompt)

    log = run("inspect", read_by=[reader("a")], searcher=reader("s", search), locks=1)
    assert (metrics(log)["n_accepted"], site.searches) == (1, [])
    # the gold query's hits are kept for the sources: of 11 searches 10 were asked for
    assert (metrics(log)["searches"], len(asked), len(set(asked))) == (11, 10, 10)
    log = run(
        "inspect",
        reader("w", both),
        [reader("a")],
        locks=1,
        archive="another",
        logs="alone",
    )
    assert (metrics(log)["n_accepted"], len(asked)) == (1, 20)
