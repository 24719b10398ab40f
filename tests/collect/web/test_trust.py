"""Whether a host is a reliable source, as lists say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.domains import place_of
from refusalbench_tasks.collect.web.trust import Entry, Label, Suffix, Trust, TrustList, Verdict
from refusalbench_tasks.collect.web.trust_columns import Columns, Table
from refusalbench_tasks.collect.web.trust_lists import own_list, trust_lists
from refusalbench_tasks.collect.web.trust_tables import adfontes, cred1, iffy
from refusalbench_tasks.errors import DataError

BUNDLED = Trust(trust_lists("bundled"))


def a_list(name: str, *entries: tuple[str, Label], suffixes: tuple[Suffix, ...] = ()) -> TrustList:
    places = [(place_of(domain), label) for domain, label in entries]
    return TrustList(name, "1", "ours", "test", tuple(Entry(p, label) for p, label in places if p), suffixes)


@pytest.mark.parametrize(
    ("url", "domain", "suffix"),
    [
        ("https://www.ox.ac.uk/about", "ox.ac.uk", "ac.uk"),
        ("http://a.b.example.co.uk:8080/x", "example.co.uk", "co.uk"),
        ("gov.uk", "gov.uk", "gov.uk"),
        ("https://name.github.io/x", "name.github.io", "io"),
        ("http://EXAMPLE.com.", "example.com", "com"),
        ("http://bücher.de/", "xn--bcher-kva.de", "de"),
        ("http://host.unheardof/", "host.unheardof", ""),
    ],
)
def test_a_host_belongs_to_what_was_registered(url: str, domain: str, suffix: str) -> None:
    place = place_of(url)
    assert place
    assert (place.domain, place.suffix) == (domain, suffix)


@pytest.mark.parametrize(
    "text", ["", "no host", "http://1.2.3.4/", "http://[::1]/", "localhost", "http://", "a,b", "é.", "gov"]
)
def test_what_is_no_host_name_has_no_place(text: str) -> None:
    assert place_of(text) is None
    assert BUNDLED.verdict(text) == Verdict("unknown")


@pytest.mark.parametrize(
    "url",
    [
        *("https://www.nasa.gov/x", "https://blog.harvard.edu/a/b", "https://www.gov.uk/tax", "https://gov.uk/", "http://x.edu.au"),
        *("https://www.cl.cam.ac.uk/", "https://www.stat.go.jp/", "https://www.insee.gouv.fr", "http://who.int/news"),
        *("https://link.springer.com/article/1", "https://ec.europa.eu/eurostat", "http://laws-lois.justice.gc.ca/eng"),
    ],
)  # fmt: skip
def test_institutions_are_reliable_by_suffix_or_name(url: str) -> None:
    assert BUNDLED.verdict(url).standing == "reliable"
    assert BUNDLED.slot(url) == "reliable"


@pytest.mark.parametrize(
    "url",
    [
        # a word inside a word, in a path, before a dot or after one is nothing
        *("http://worldhistoryedu.com/", "http://wealthyeducation.com/", "http://example.com/gov/edu", "http://gov.example.com/"),
        *("http://www.nasa.gov.example.com/", "http://nature.com.example.net/", "http://notnature.com/", "http://nature.community/"),
        *("http://edu.example.org/", "http://mygov.com", "http://theconservativetreehouse.com/", "http://example.com/?q=.gov"),
        # a town's suffix, a host's name on a hosting service, a suffix that no registry has
        *("http://a.go.it/", "http://whitehouse-gov.github.io/", "http://x.ac.zz/", "http://x.gov.example/"),
    ],
)  # fmt: skip
def test_a_piece_of_a_word_makes_no_institution(url: str) -> None:
    assert BUNDLED.verdict(url) == Verdict("unknown")
    assert BUNDLED.slot(url) is None


def test_a_verdict_says_which_entry_it_rests_on() -> None:
    assert BUNDLED.verdict("https://www.nasa.gov/x") == Verdict("reliable", ("institutions: .gov",))
    assert BUNDLED.verdict("https://link.springer.com/x") == Verdict("reliable", ("institutions: springer.com",))


def test_the_most_specific_entry_of_a_list_counts() -> None:
    trust = Trust(
        [
            a_list(
                "one",
                ("example.com", "unreliable"),
                ("news.example.com", "reliable"),
                ("example.com/science", "reliable"),
                ("example.com/science/fiction", "mixed"),
            )
        ]
    )
    standings = {
        "http://example.com/": "unreliable",
        "http://deep.example.com/science": "reliable",
        "http://www.example.com/sciences": "unreliable",
        "http://example.com/science/": "reliable",
        "http://example.com/science/fiction/1?x#y": "mixed",
        "http://news.example.com/x": "reliable",
        "http://a.news.example.com/x": "reliable",
        "http://oldnews.example.com/x": "unreliable",
        "http://example.org/": "unknown",
    }
    assert {url: trust.verdict(url).standing for url in standings} == standings


def test_an_entry_goes_before_a_suffix() -> None:
    suffixes = (Suffix("edu", "reliable"),)
    trust = Trust([a_list("one", ("prank.edu", "unreliable"), suffixes=suffixes)])
    assert trust.verdict("http://prank.edu/").standing == "unreliable"
    assert trust.verdict("http://other.edu/").standing == "reliable"


def test_lists_that_differ_make_a_host_mixed_and_fill_no_slot() -> None:
    trust = Trust([a_list("one", ("example.com", "reliable")), a_list("two", ("example.com", "unreliable"))])
    assert trust.verdict("http://example.com/x") == Verdict("mixed", ("one: example.com", "two: example.com"))
    assert trust.slot("http://example.com/x") is None
    agreeing = Trust([a_list("one", ("example.com", "reliable")), a_list("two", ("example.com", "reliable"))])
    assert agreeing.slot("http://example.com/x") == "reliable"


def test_an_unknown_host_fills_a_slot_only_as_published() -> None:
    lists = [a_list("one", ("example.com", "mixed"))]
    assert Trust(lists).slot("http://example.org/") is None
    assert Trust(lists, unknown="unreliable").slot("http://example.org/") == "unreliable"
    assert Trust(lists, unknown="unreliable").slot("http://example.com/") is None
    assert Trust(lists, unknown="unreliable").verdict("http://example.org/").standing == "unknown"
    with pytest.raises(DataError, match="unknown: unknown value 'reliable'"):
        Trust(lists, unknown="reliable")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "suffix", "covered"),
    [
        ("gov", "gov", True),
        ("gov", "gov.uk", False),
        ("gov.*", "gov.uk", True),
        ("gov.*", "gov", False),
        ("gov.*", "ug.gov.pl", True),
        ("gov.*", "gov.scot", False),
        ("ac.*", "mac.uk", False),
        ("gc.ca", "ca", False),
        ("gov", "", False),
    ],
)
def test_a_suffix_covers_itself_and_what_registries_have_below_it(name: str, suffix: str, covered: bool) -> None:
    assert Suffix(name, "reliable").covers(suffix) is covered


@given(st.text("abcgovedu.-/", max_size=30))
def test_no_address_raises_and_what_stands_before_a_foreign_domain_changes_nothing(text: str) -> None:
    BUNDLED.verdict(text)
    assert BUNDLED.verdict(f"http://{text.replace('/', '')}.example.com/{text}").standing == "unknown"


def test_the_bundled_list_states_its_licence_and_owners_and_calls_nobody_unreliable() -> None:
    (one,) = trust_lists("bundled")
    assert one.licence
    assert all(entry.about and entry.label == "reliable" for entry in one.entries)
    assert len({entry.place for entry in one.entries}) == len(one.entries) > 100
    # no entry that a suffix covers already
    assert not [entry for entry in one.entries if any(suffix.covers(entry.place.suffix) for suffix in one.suffixes)]


OWN = "name: mine\nversion: 2\nlicence: ours\nsource: here\nentries:\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- 1", "expected the keys name, version, licence, source"),
        ("name: a\nversion: 1\nlicence: x\n", "expected the keys"),
        (OWN, "has neither"),
        (OWN + "  - {domain: a.com}", "entries, number 1, field 'label': expected one of reliable"),
        (OWN + "  - {domain: a.com, label: good}", "field 'label'"),
        (OWN + "  - {domain: a com, label: mixed}", "field 'domain': expected a host, not 'a com'"),
        (OWN + "  - {domain: co.uk, label: mixed}", "co.uk is a public suffix; list it in 'suffixes'"),
        (OWN + "  - a.com", "expected an object"),
        (OWN + "  a: b", "'entries' is not a list"),
        (OWN + "suffixes: [{name: '*', label: mixed}]", "field 'name': expected a public suffix"),
    ],
)
def test_a_bad_list_of_our_layout_is_one_line(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        own_list(text, "mine.yaml")


def test_a_list_of_our_layout_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(OWN + "  - {domain: 'https://www.a.com/x/', label: unreliable, about: jokes}\n", encoding="utf-8")
    lists = trust_lists(f"bundled, {path}")
    assert [(one.name, one.version) for one in lists] == [("institutions", "1"), ("mine", "2")]
    assert Trust(lists).slot("http://a.com/x/y") == "unreliable"
    assert Trust(lists).slot("http://a.com/y") is None


def test_every_host_of_the_iffy_index_is_unreliable() -> None:
    text = "Domain,Name,Score\nwonders.com,Wonders,0.1\nhttps://www.marvels.net/,M,\nnot a host,x,\nco.uk,x,\n\n"
    made = iffy(Table(text, "f.csv"))
    assert [(entry.place.domain, entry.label) for entry in made.entries] == [
        ("wonders.com", "unreliable"),
        ("marvels.net", "unreliable"),
    ]
    assert made.skipped == 2


def test_outlets_of_ad_fontes_are_rated_by_the_means_of_their_articles() -> None:
    text = "Source,Url,Bias,Quality\n" + "".join(
        f"x,{row}\n"
        for row in (
            "http://a.com/1,-4,44",
            "http://a.com/2,6,36",  # means: bias 1, quality 40
            "http://www.b.com/1,10.5,60",  # quality suffices, bias doesn't
            "http://c.com/1,-30,10",
            "http://c.com/2,-30,22",  # mean quality 16
            "http://d.com/1,0,39.9",
            "http://e.com/1,,50",
        )
    )
    made = adfontes(Table(text, "f.csv"))
    assert {entry.place.host: (entry.label, entry.about) for entry in made.entries} == {
        "a.com": ("reliable", "2 rated"),
        "b.com": ("mixed", "1 rated"),
        "c.com": ("unreliable", "2 rated"),
        "d.com": ("mixed", "1 rated"),
    }
    assert made.skipped == 1
    assert Trust([made]).slot("http://a.com/99") == "reliable"


@pytest.mark.parametrize("column", ["score", "Credibility Score"])
def test_hosts_of_cred1_are_unreliable_below_half(column: str) -> None:
    made = cred1(Table(f"domain;{column}\na.com;0.49\nb.com;0.5\nc.com;\n", "f.csv"))
    assert [entry.label for entry in made.entries] == ["unreliable", "mixed", "unreliable"]


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("", "name at least one list"),
        ("newsguard", "unknown list 'newsguard'"),
        ("bundled,bundled", "two lists have the name 'institutions'"),
        ("iffy:none.csv", "trust: no such file 'none.csv'"),
        ("iffy:", "unknown list 'iffy:'"),
    ],
)
def test_a_wrong_choice_of_lists_is_one_line(names: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        trust_lists(names)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected a column 'domain' or 'url' or 'site', found none"),
        ("Name,Score\nx,1\n", "found name, score"),
        ("Domain\nnothing here\n", r"no row can be used \(1 of its rows have no host in 'domain'\); if other columns"),
        ("Domain\n", r"no row can be used \(it has none\)"),
        ('Domain\n"a"b\n', "line 2: not valid CSV"),
        ("Domain\n" + "a" * 200_000, "1 of its rows have no host"),
    ],
)
def test_a_file_that_is_no_index_is_one_line(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "index.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        trust_lists(f"iffy:{path}")


OUTLETS = """Rank,Site name,Outlet,Vertical Rank,Lean
1,a.example.com,Alpha,44,-4
2,b.example.com,Beta,12,30
"""


def test_columns_of_another_name_are_named(tmp_path: Path) -> None:
    path = tmp_path / "outlets.csv"
    path.write_text(OUTLETS, encoding="utf-8")
    (made,) = trust_lists(f"adfontes:{path}", "host=Site Name, quality=vertical rank,bias=Lean")
    assert [(entry.place.host, entry.label) for entry in made.entries] == [
        ("a.example.com", "reliable"),
        ("b.example.com", "unreliable"),
    ]
    # a list that has the usual names keeps them beside one that has not
    (tmp_path / "index.csv").write_text("Domain\nc.example.com\n", encoding="utf-8")
    both = trust_lists(
        f"iffy:{tmp_path / 'index.csv'},adfontes:{path}", "host=Site name,quality=Vertical Rank,bias=Lean"
    )
    assert [len(one.entries) for one in both] == [1, 2]


def test_a_list_of_hosts_and_labels_needs_no_publisher(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("host;verdict\na.example.com;Reliable\nb.example.com/jokes;unreliable\n", encoding="utf-8")
    trust = Trust(trust_lists(f"csv:{path}", "host=host,label=verdict"))
    assert trust.slot("http://a.example.com/x") == "reliable"
    assert trust.verdict("http://b.example.com/jokes/1").because == ("csv: b.example.com/jokes",)
    assert trust.slot("http://b.example.com/") is None


@pytest.mark.parametrize(
    ("layout", "columns", "problem"),
    [
        ("adfontes", "", "expected a column 'url' or 'domain', found rank, site_name, .* by trust_columns=host=COLUMN"),
        ("adfontes", "host=Site name", "expected a column 'quality' or 'reliability', .* trust_columns=quality=COLUMN"),
        ("adfontes", "host=Outlet,quality=Vertical Rank,bias=Lean", "2 of its rows have no host in 'outlet'"),
        ("adfontes", "host=Site name,quality=Outlet,bias=Lean", "2 of its rows have no number in 'outlet' or 'lean'"),
        ("csv", "host=Site name,label=Outlet", "host 'a.example.com', column 'outlet': expected one of reliable"),
        ("csv", "host=Site name", "expected a column 'label'"),
        ("iffy", "host=Sight name", "trust_columns: no column 'Sight name' for host; found .*site_name"),
        ("iffy", "place=Site name", "trust_columns: 'place=Site name' is not ROLE=COLUMN"),
        ("iffy", "host=", "is not ROLE=COLUMN"),
        ("iffy", "host=Outlet,host=Rank", "names two columns for host"),
    ],
)
def test_a_wrong_column_is_one_line_that_names_it(tmp_path: Path, layout: str, columns: str, problem: str) -> None:
    path = tmp_path / "outlets.csv"
    path.write_text(OUTLETS, encoding="utf-8")
    with pytest.raises(DataError, match=problem) as error:
        trust_lists(f"{layout}:{path}", columns)
    assert "\n" not in str(error.value)


def test_columns_need_a_list_in_csv() -> None:
    with pytest.raises(DataError, match="no list of 'trust' is a CSV file"):
        trust_lists("bundled", "host=Site")
    assert Columns.of(" ") == Columns()
