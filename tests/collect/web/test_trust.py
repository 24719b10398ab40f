"""Whether a host is a reliable source, as lists say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.bounded_reading import in_layout, yaml_value
from refusalbench_tasks.collect.web.trust import (
    Trust,
    TrustList,
    TrustVerdict,
    host_of,
    trust_lists,
)
from refusalbench_tasks.errors import DataError

BUNDLED = Trust(trust_lists("bundled"))


def a_list(name: str, suffixes: tuple[str, ...] = (), **labels: str) -> TrustList:
    """Return a list of hosts, `_` standing for `.`."""
    entries = [
        {"domain": host.replace("_", "."), "label": label}
        for host, label in labels.items()
    ]
    entries += [{"domain": one, "label": "reliable"} for one in suffixes]
    return TrustList.model_validate({"name": name, "entries": entries})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no host",
        "http://1.2.3.4/",
        "http://[::1]/",
        "localhost",
        "a,b",
        "é.",
        "gov",
    ],
)
def test_what_is_no_host_name_is_no_host(text: str) -> None:
    assert host_of(text) is None
    assert BUNDLED.verdict(text) == TrustVerdict("unknown")


@pytest.mark.parametrize(
    "url",
    [
        *(
            "https://www.nasa.gov/x",
            "https://blog.harvard.edu/a/b",
            "https://www.gov.uk/tax",
            "https://gov.uk/",
        ),
        *(
            "https://www.cl.cam.ac.uk/",
            "https://www.stat.go.jp/",
            "https://www.insee.gouv.fr",
            "http://who.int/news",
        ),
        *(
            "https://link.springer.com/article/1",
            "http://laws-lois.justice.gc.ca/eng",
            "http://x.edu.au",
        ),
        *("http://a.nsw.gov.au/", "http://EXAMPLE.gov.:8080/"),
    ],
)
def test_institutions_are_reliable_by_suffix_or_name(url: str) -> None:
    assert BUNDLED.verdict(url).standing == BUNDLED.verdict(url).slot == "reliable"


@pytest.mark.parametrize(
    "url",
    [
        # a word inside a word, in a path, before a dot or after one is nothing
        *(
            "http://worldhistoryedu.com/",
            "http://example.com/gov/edu",
            "http://gov.example.com/",
            "http://mygov.com",
        ),
        *(
            "http://www.nasa.gov.example.com/",
            "http://nature.com.example.net/",
            "http://notnature.com/",
        ),
        *(
            "http://nature.community/",
            "http://edu.example.org/",
            "http://example.com/?q=.gov",
        ),
        # a town's suffix, a host's name on a hosting service, a suffix that no registry
        # has
        *(
            "http://a.go.it/",
            "http://whitehouse-gov.github.io/",
            "http://x.ac.zz/",
            "http://x.gov.example/",
        ),
    ],
)
def test_a_piece_of_a_word_makes_no_institution(url: str) -> None:
    assert BUNDLED.verdict(url) == TrustVerdict("unknown")


def test_a_verdict_names_its_entry_and_the_longest_host_wins() -> None:
    assert BUNDLED.verdict("https://www.nasa.gov/x") == TrustVerdict(
        "reliable", "reliable", ("institutions: .gov",)
    )
    trust = Trust(
        [
            a_list(
                "one",
                (".edu",),
                example_com="unreliable",
                news_example_com="reliable",
                prank_edu="mixed",
            )
        ]
    )
    standings = {
        "http://www.example.com/sciences": "unreliable",
        "http://a.news.example.com/x": "reliable",
        "http://oldnews.example.com/x": "unreliable",
        "http://example.org/": "unknown",
        "http://prank.edu/": "mixed",
        "http://other.edu/": "reliable",
    }
    assert {url: trust.verdict(url).standing for url in standings} == standings


def test_lists_that_differ_make_a_host_mixed_and_fill_no_slot() -> None:
    trust = Trust(
        [a_list("one", example_com="reliable"), a_list("two", example_com="unreliable")]
    )
    assert trust.verdict("http://example.com/x") == TrustVerdict(
        "mixed", None, ("one: example.com", "two: example.com")
    )


def test_an_unknown_host_fills_a_slot_only_as_published() -> None:
    lists = [a_list("one", example_com="mixed")]
    assert Trust(lists).verdict("http://example.org/").slot is None
    assert (
        Trust(lists, unknown="unreliable").verdict("http://example.org/").slot
        == "unreliable"
    )
    assert (
        Trust(lists, unknown="unreliable").verdict("http://example.com/").slot is None
    )


@given(st.text("abcgovedu.-/", max_size=30))
def test_no_address_raises_and_a_trusted_name_before_a_domain_helps_nobody(
    text: str,
) -> None:
    BUNDLED.verdict(text)
    assert (
        BUNDLED.verdict(f"http://{text.replace('/', '')}.example.com/{text}").standing
        == "unknown"
    )


def test_the_bundled_list_calls_nobody_unreliable() -> None:
    (institutions,) = trust_lists("bundled")
    domains = {entry.domain for entry in institutions.entries}
    assert {entry.label for entry in institutions.entries} == {"reliable"}
    assert len(domains) == len(institutions.entries) > 100


OWN = "name: mine\nversion: 2\nlicence: ours\nsource: here\nentries:\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- 1", "mine.yaml, field 'the whole'"),
        ("name: a\n", "field 'entries'"),
        (OWN + "  - {domain: a.com, label: good}", "field 'entries.0.label'"),
        (OWN + "  - {domain: a com, label: mixed}", "not 'a com'"),
        (
            OWN + "  - {domain: co.uk, label: mixed}",
            "a public suffix with a dot in front, not 'co.uk'",
        ),
        (OWN + "  - {domain: '.*', label: mixed}", "field 'entries.0.domain'"),
    ],
)
def test_a_bad_list_of_our_layout_is_one_line(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        in_layout(TrustList, yaml_value(text, "mine.yaml"), "mine.yaml")


def test_lists_of_ones_own_are_yaml_or_have_a_host_a_line(tmp_path: Path) -> None:
    yaml = tmp_path / "mine.yaml"
    hosts = tmp_path / "iffy.csv"
    yaml.write_text(
        OWN + "  - {domain: 'https://www.a.com/x/', label: mixed, about: jokes}\n",
        encoding="utf-8",
    )
    hosts.write_text(
        'Domain,Score\nwonders.com,0.1\n"http://marvels.net/x";y\n\nco.uk,1\nnot a'
        " host\n"
    )
    trust = Trust(trust_lists(f"bundled, {yaml},unreliable:{hosts}"))
    assert trust.verdict("http://sub.a.com/y").standing == "mixed"
    assert trust.verdict("http://marvels.net/") == TrustVerdict(
        "unreliable", "unreliable", ("iffy: marvels.net",)
    )
    assert [trust.verdict(url).slot for url in ("wonders.com", "x.co.uk")] == [
        "unreliable",
        None,
    ]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("unreliable:h.csv", "field 'entries'"),
        ("unreliable:none", "none"),
        ("unreliable:", "unknown list"),
        ("h.csv", "unknown list 'h.csv'; use bundled, FILE.yaml"),
        ("", "name at least one list"),
        ("bundled,bundled", "two lists have the name 'institutions'"),
    ],
)
def test_a_bad_list_is_one_line(
    name: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("h.csv").write_text("domain\n\n")
    with pytest.raises(DataError, match=problem):
        trust_lists(name)
