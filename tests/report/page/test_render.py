"""The page in a real browser: Debian's Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.taxonomy import Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, write_log

CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (found := shutil.which(name))
    ),
    "",
)
pytestmark = [
    pytest.mark.skipif(
        not CHROMIUM, reason="no Chromium here (apt-get install chromium)"
    ),
    pytest.mark.xdist_group("page"),
]
EVIL = (
    "</script><script>window.hacked = 1</script><img src=https://example.org/x"
    " onerror='window.hacked = 1'>"
)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs of ten rows, which refuse 2, 7 and 4 of them, and one of bluff; with
    hostile text everywhere.
    """
    logs = tmp_path_factory.mktemp("logs")
    for model, right in (("b", 2), ("a", 7), (EVIL, 4)):
        replies = [Label.MISSING if k < right else Label.ANSWER for k in range(10)]
        samples = [
            row(
                str(k),
                label,
                reply=EVIL,
                query=EVIL,
                passages=[EVIL, f"text {k}"],
                document=f"document {k % 2}",
            )
            for k, label in enumerate(replies)
        ]
        for sample in samples:
            sample.store = {"refusalbench_retrieved": [EVIL]}
            for score in (sample.scores or {}).values():
                score.explanation = f"the grader says {EVIL}"
        write_log(logs, model, samples)
    pairs = [
        hedging_sample(f"q{k}", arm) for k in range(3) for arm in ("clear", "ambiguous")
    ]
    write_log(logs, "a", pairs, task="bluff", scorer="hedging_scores")
    return write_report([str(logs)], tmp_path_factory.mktemp("page") / "out").page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield launched
        launched.close()


@contextmanager
def opened_in(
    browser: Browser | BrowserContext, file: Path, **context: Any
) -> Iterator[Page]:
    """Yield the page, once it has been drawn: before, parts outside the window have no
    text to ask for.
    """
    window = browser.new_page(**context)
    window.goto(file.as_uri())
    if context.get("java_script_enabled", True):
        window.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() =>"
            " requestAnimationFrame(done)))"
        )
    yield window
    window.close()


@pytest.fixture
def page(browser: Browser, page_file: Path) -> Iterator[Page]:
    """Open the page in a window that must have nothing to complain of, and ask for
    nothing else.
    """
    told: list[str] = []
    context = browser.new_context()
    context.on("console", lambda message: told.append(message.text))
    context.on("weberror", lambda error: told.append(str(error.error)))
    context.on(
        "request",
        lambda request: (
            told.append(request.url) if request.url != page_file.as_uri() else None
        ),
    )
    with opened_in(context, page_file) as opened:
        yield opened
    assert told == []
    context.close()


def test_nothing_is_asked_for_outside_and_scripts_in_replies_stay_text(
    page: Page,
) -> None:
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0
    assert page.get_by_text("window.hacked = 1").count() > 0
    assert page.locator("figure svg").count() > 7


def test_the_first_screen_says_what_was_found(
    browser: Browser, page_file: Path
) -> None:
    with opened_in(
        browser, page_file, viewport={"width": 1280, "height": 800}
    ) as opened:
        first = opened.locator(".glance").first
        text = "a: of unanswerable rows answers 30\u00a0%"
        sentence = first.get_by_role("listitem").filter(has_text=text)
        for shown in (sentence, first.locator("figure svg").first):
            box = shown.bounding_box()
            assert box is not None
            # not above the window either: a page opens at its top
            assert 0 < box["y"] < 800 - box["height"]


def test_the_way_through_the_page_stays_in_sight(
    browser: Browser, page_file: Path
) -> None:
    with opened_in(
        browser, page_file, viewport={"width": 1280, "height": 800}
    ) as opened:
        opened.evaluate("window.scrollTo(0, 3000)")
        box = opened.get_by_role("navigation").bounding_box()
        assert box is not None
        assert box["y"] == 0


@pytest.mark.parametrize(("width", "across"), [(1280, 2), (1000, 2), (900, 1)])
def test_figures_stand_two_a_row_where_there_is_room(
    browser: Browser, page_file: Path, width: int, across: int
) -> None:
    with opened_in(
        browser, page_file, viewport={"width": width, "height": 800}
    ) as opened:
        columns = opened.evaluate(
            "getComputedStyle(document.querySelector('.figures')).gridTemplateColumns"
        )
        assert len(columns.split()) == across


def test_warnings_are_one_line_that_opens(browser: Browser, tmp_path: Path) -> None:
    undecided = [row(str(k), None if k < 5 else Label.MISSING) for k in range(10)]
    write_log(tmp_path / "logs", "m", undecided)
    write_log(tmp_path / "logs", "n", undecided)
    file = write_report([str(tmp_path / "logs")], tmp_path / "page").page
    with opened_in(browser, file) as opened:
        warnings = opened.locator("details.warning")
        summary = warnings.locator("summary").inner_text()
        assert summary.startswith("2 warnings: m: not everything is known of 5 of 10")
        line = warnings.bounding_box()
        assert line is not None
        assert line["height"] < 60
        assert not warnings.locator("li").first.is_visible()
        warnings.locator("summary").click()
        assert warnings.locator("li").count() == 2
        assert warnings.locator("li").last.is_visible()


def first_column(page: Page) -> list[str]:
    table = page.locator(
        "section[aria-labelledby=nq] table", has_text="missed refusal rate"
    ).first
    cells = table.locator("tbody td:first-child").all_inner_texts()
    return [cell[:4] for cell in cells]


def test_a_click_sorts_by_number_and_a_key_sorts_back(page: Page) -> None:
    head = page.locator(
        "section[aria-labelledby=nq] table th", has_text="missed refusal rate"
    ).first
    head.locator("button").click()
    # always refuses 0, a .3, the hostile name (shown from its last slash) .6, b .8,
    # always answers 1
    assert first_column(page) == ["alwa", "a", "x on", "b", "alwa"]
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert first_column(page) == ["alwa", "b", "x on", "a", "alwa"]
    assert head.get_attribute("aria-sort") == "descending"


def test_a_phone_scrolls_tables_alone_and_has_whole_pictures(
    browser: Browser, page_file: Path
) -> None:
    with opened_in(
        browser, page_file, viewport={"width": 375, "height": 700}
    ) as opened:
        assert opened.evaluate("document.documentElement.scrollWidth") <= 375
        for box, scrolls in ((".scroll", True), (".picture", False)):
            wide = (
                f"[...document.querySelectorAll('{box}')].some((box) => box.scrollWidth"
                " > box.clientWidth)"
            )
            assert opened.evaluate(wide) is scrolls


def test_in_print_nothing_is_cut_and_what_needs_a_mouse_is_left_out(page: Page) -> None:
    page.emulate_media(media="print")
    assert not page.locator("#replies-browser").is_visible()
    assert not page.locator("nav").is_visible()
    assert page.locator("figure svg").first.is_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX")
        == "visible"
    )


def test_every_control_is_reached_by_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    kinds = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        kinds.add(page.evaluate("document.activeElement.tagName"))
    assert {"A", "DIV", "BUTTON", "SUMMARY"} <= kinds


def replies(page: Page) -> Locator:
    found = page.locator("#replies-browser")
    found.scroll_into_view_if_needed()
    return found


def count(page: Page) -> str:
    return replies(page).locator("[data-part=count]").inner_text()


def test_a_reply_stands_with_its_question_passages_and_the_graders_words(
    page: Page,
) -> None:
    found = replies(page)
    assert count(page) == "10 of 10 replies"
    detail = found.locator("[data-part=detail]")
    assert detail.locator(".question").inner_text() == EVIL
    assert detail.locator("blockquote").inner_text() == EVIL
    assert detail.locator(".why").inner_text() == f"Explanation: the grader says {EVIL}"
    assert "Expected: REFUSE_INFO_MISSING_IN_CONTEXT" in detail.inner_text()
    assert "given: REFUSE_INFO_MISSING_IN_CONTEXT" in detail.inner_text()
    assert detail.locator("summary").all_inner_texts() == [
        "Retrieved 1",
        "Passage 1",
        "Passage 2",
    ]
    assert detail.locator(".passage").all_inner_texts() == [EVIL, EVIL, "text 0"]
    assert found.locator("img").count() == 0
    assert page.evaluate("window.hacked") is None


def test_replies_are_filtered_by_outcome_document_and_words(page: Page) -> None:
    found = replies(page)
    # the first model by creation is b, which refuses two of ten
    found.locator("[data-filter=outcome]").select_option(
        label="declined, right code (2)"
    )
    assert count(page) == "2 of 10 replies"
    found.locator("[data-filter=document]").select_option(label="document 1 (5)")
    assert count(page) == "1 of 10 replies"
    found.locator("[data-filter=outcome]").select_option(label="any")
    assert count(page) == "5 of 10 replies"
    found.locator("[data-part=search]").fill("no such text")
    assert count(page) == "0 of 10 replies"
    assert not found.locator("[data-filter=class]").is_visible()


def test_replies_are_chosen_by_keys(page: Page) -> None:
    found = replies(page)
    found.get_by_role("listbox").focus()
    page.keyboard.press("ArrowDown")
    assert found.locator("[aria-selected=true]").get_attribute("aria-posinset") == "2"
    assert found.locator(".detail h3").inner_text() == "1"
    found.locator("[data-part=task]").select_option(label="bluff on sample (1 run)")
    assert count(page) == "6 of 6 replies"
    assert found.locator(".outcome").first.inner_text() == "answered right"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_pictures_stand_out_and_axe_finds_nothing_serious(
    browser: Browser, page_file: Path, scheme: str
) -> None:
    with opened_in(browser, page_file, color_scheme=scheme, bypass_csp=True) as opened:
        colours = opened.evaluate(
            "() => [getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('figure svg text')).fill]"
        )
        back, drawn = (
            sum(int(part) for part in colour.strip("rgb()").split(","))
            for colour in colours
        )
        assert abs(back - drawn) > 500
        replies(opened)
        found = [
            one
            for one in Axe().run(opened).response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert [
            (one["id"], node["target"], node["failureSummary"])
            for one in found
            for node in one["nodes"][:3]
        ] == []


def test_without_scripts_all_but_the_browser_of_replies_is_there(
    browser: Browser, page_file: Path
) -> None:
    with opened_in(browser, page_file, java_script_enabled=False) as opened:
        assert opened.locator(".sentences li").count() == 4
        assert opened.locator("figure svg").count() > 7
        assert opened.get_by_text("This part needs a browser with scripts").is_visible()
        assert not opened.locator("[data-part=controls]").is_visible()


def test_of_very_many_replies_the_first_are_listed(
    browser: Browser, tmp_path: Path
) -> None:
    write_log(
        tmp_path / "logs",
        "m",
        [
            row(f"{k:03d}", Label.MISSING, PerturbationClass.AMBIGUITY)
            for k in range(501)
        ],
    )
    with opened_in(
        browser, write_report([str(tmp_path / "logs")], tmp_path / "page").page
    ) as opened:
        found = replies(opened)
        assert found.locator(".list [role=option]").count() == 500
        assert count(opened) == "501 of 501 replies, the first 500 shown"
        found.get_by_role("listbox").focus()
        opened.keyboard.press("End")
        assert found.locator(".detail h3").inner_text() == "499"
