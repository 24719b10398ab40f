"""The page in a real browser: Debian's Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.taxonomy import Label
from tests.logs.synthetic import row, write_log

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium here (apt-get install chromium)"),
    pytest.mark.xdist_group("page"),
]
EVIL = "<script>window.hacked = 1</script><img src=https://example.org/x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logs = tmp_path_factory.mktemp("logs")
    for model, right in (("b", 2), ("a", 7), (EVIL, 4)):
        replies = [Label.MISSING if k < right else Label.ANSWER for k in range(10)]
        write_log(logs, model, [row(str(k), label, reply=EVIL, query=EVIL) for k, label in enumerate(replies)])
    return write_report([str(logs)], tmp_path_factory.mktemp("page") / "out").page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, page_file: Path) -> Iterator[Page]:
    opened = browser.new_page()
    told: list[str] = []
    opened.on("console", lambda message: told.append(message.text))
    opened.on("pageerror", lambda error: told.append(str(error)))
    opened.on("request", lambda request: told.append(request.url) if request.url != page_file.as_uri() else None)
    opened.goto(page_file.as_uri())
    yield opened
    assert told == []
    opened.close()


def test_nothing_is_asked_for_outside_and_scripts_in_replies_stay_text(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0
    assert page.get_by_text("window.hacked = 1").count() > 0
    assert page.locator("figure svg").count() > 10


def main_table(page: Page) -> Locator:
    return page.locator("section[aria-labelledby=nq] table").first


def first_column(page: Page) -> list[str]:
    cells = main_table(page).locator("tbody td:first-child").all_inner_texts()
    return [cell[:2] for cell in cells]


def test_a_click_sorts_by_number_and_a_key_sorts_back(page: Page) -> None:
    head = main_table(page).locator("th").nth(2)
    assert head.inner_text().startswith("refusal accuracy")
    head.locator("button").click()
    # always answers 0, b .2, the hostile name (shown from its last slash) .4, a .7, always refuses 1
    assert first_column(page) == ["(a", "b", "x ", "a", "(a"]
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert first_column(page) == ["(a", "a", "x ", "b", "(a"]
    assert head.get_attribute("aria-sort") == "descending"


def test_undefined_numbers_sort_last_both_ways(page: Page) -> None:
    button = main_table(page).locator("th").nth(1).locator("button")
    for _ in range(2):
        button.click()
        cells = main_table(page).locator("tbody td:nth-child(2)").all_inner_texts()
        known = [cell.startswith("0") for cell in cells]
        assert known == sorted(known, reverse=True)


def test_a_mark_tells_its_value_to_pointer_and_keys_and_a_model_can_be_hidden(page: Page) -> None:
    picture = page.locator(".picture").first
    picture.scroll_into_view_if_needed()
    mark = picture.locator("[data-tip]").first
    mark.hover(force=True)
    tip = page.locator("[data-part=tip]")
    expect(tip).to_be_visible()
    assert tip.inner_text() == mark.get_attribute("data-tip")
    picture.locator("svg").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-part=said]").inner_text() == mark.get_attribute("data-tip")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    shown = main_table(page).locator("tbody tr:visible").count()
    page.locator("[data-shown]").first.uncheck()
    assert main_table(page).locator("tbody tr:visible").count() == shown - 1
    page.locator("[data-shown]").first.check()
    assert main_table(page).locator("tbody tr:visible").count() == shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser: Browser, page_file: Path, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    opened = context.new_page()
    opened.goto(page_file.as_uri())
    colours = opened.evaluate(
        "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,"
        " getComputedStyle(document.querySelector('figure svg text')).fill]"
    )
    back, ink, drawn = (sum(int(part) for part in colour.strip("rgb()").split(",")) for colour in colours)
    assert abs(back - ink) > 500
    assert abs(back - drawn) > 500
    context.close()


def test_a_phone_scrolls_tables_not_the_page(browser: Browser, page_file: Path) -> None:
    opened = browser.new_page(viewport={"width": 375, "height": 700})
    opened.goto(page_file.as_uri())
    assert opened.evaluate("document.documentElement.scrollWidth") <= 375
    assert opened.evaluate("[...document.querySelectorAll('.scroll')].some((box) => box.scrollWidth > box.clientWidth)")
    opened.close()


def test_every_control_is_reached_by_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    kinds = set()
    for _ in range(24):
        page.keyboard.press("Tab")
        kinds.add(page.evaluate("document.activeElement.tagName"))
    assert {"A", "DIV", "BUTTON"} <= kinds


def browser_of_replies(page: Page) -> Locator:
    found = page.locator("#replies-browser")
    page.evaluate("document.querySelector('#replies').scrollIntoView()")
    found.locator("[role=option]").first.wait_for()
    return found


def test_the_browser_of_replies_shows_outside_text_as_text(page: Page) -> None:
    found = browser_of_replies(page)
    assert found.locator("[data-part=count]").inner_text() == "10 of 10 rows"
    assert found.locator("blockquote").inner_text() == EVIL
    assert found.locator(".question").inner_text() == EVIL
    assert found.locator("img, script").count() == 0
    assert page.evaluate("window.hacked") is None


def test_replies_are_chosen_by_keys_filtered_searched_and_set_side_by_side(page: Page) -> None:
    found = browser_of_replies(page)
    found.get_by_role("listbox").focus()
    page.keyboard.press("ArrowDown")
    assert found.locator("[aria-selected=true]").get_attribute("aria-posinset") == "2"
    assert found.locator(".detail h3").inner_text() == "1"
    # the first model by creation is b: two refusals of ten; a has seven
    found.locator("[data-filter=verdict]").select_option(label="correct code refusal")
    assert found.locator("[data-part=count]").inner_text() == "2 of 10 rows"
    found.locator("[data-filter=verdict]").select_option(label="any")
    found.locator("[data-part=b]").select_option(label="a")
    assert found.locator(".card").count() == 2
    found.locator("[data-part=differ]").check()
    assert found.locator("[data-part=count]").inner_text() == "5 of 10 rows"
    found.locator("[data-part=text]").fill("no such text")
    assert found.locator("[data-part=count]").inner_text() == "0 of 10 rows"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, page_file: Path, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    opened = context.new_page()
    opened.goto(page_file.as_uri())
    browser_of_replies(opened)
    found = Axe().run(opened).response["violations"]
    serious = [
        (one["id"], node["target"], node["failureSummary"])
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
    assert serious == []
    context.close()


def test_without_scripts_all_but_the_browser_of_replies_is_there(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(page_file.as_uri())
    assert opened.locator("table.findings tbody tr").count() == 4
    assert opened.locator("figure svg").count() > 10
    assert opened.get_by_text("This part needs a browser with scripts").is_visible()
    assert not opened.locator("[data-part=controls]").is_visible()
    context.close()
