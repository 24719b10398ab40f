"""The page in a real browser: Debian's Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.taxonomy import Label, PerturbationClass
from tests.results.logs.synthetic import row, write_log

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


def load(opened: Page, page_file: Path) -> None:
    """Load the page and wait until it has been drawn: before, parts outside the window have no text to ask for."""
    opened.goto(page_file.as_uri())
    opened.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.fixture(scope="module")
def window(browser: Browser, page_file: Path) -> tuple[Page, list[str]]:
    """Return a window and what it tells: one process for all tests that load the page as it is."""
    opened = browser.new_page()
    told: list[str] = []
    opened.on("console", lambda message: told.append(message.text))
    opened.on("pageerror", lambda error: told.append(str(error)))
    opened.on("request", lambda request: told.append(request.url) if request.url != page_file.as_uri() else None)
    return opened, told


@pytest.fixture
def page(window: tuple[Page, list[str]], page_file: Path) -> Iterator[Page]:
    """Load the page anew: nothing of a former test is left in it, and the page keeps nothing elsewhere."""
    opened, told = window
    told.clear()
    opened.mouse.move(0, 0)
    load(opened, page_file)
    yield opened
    assert told == []


def test_nothing_is_asked_for_outside_and_scripts_in_replies_stay_text(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0
    assert page.get_by_text("window.hacked = 1").count() > 0
    assert page.locator("figure svg").count() > 10


def main_table(page: Page) -> Locator:
    table = page.locator("section[aria-labelledby=nq] table").first
    table.scroll_into_view_if_needed()
    return table


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
    load(opened, page_file)
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
    load(opened, page_file)
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
    load(opened, page_file)
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


def test_a_key_of_the_legend_hides_a_series_in_its_figure(page: Page) -> None:
    page.evaluate("document.querySelector('#nq-error-rates').scrollIntoView()")
    key = page.locator('#nq-error-rates g.key[role=button][data-name="missed refusal rate"]')
    key.wait_for()
    key.focus()
    page.keyboard.press("Enter")
    assert key.get_attribute("aria-pressed") == "false"
    assert page.locator('#nq-error-rates g.mark[data-name="missed refusal rate"][hidden]').count() == 3


def width_of(figure: Locator) -> float:
    box = figure.locator("svg").bounding_box()
    assert box is not None
    return box["width"]


def test_a_figure_is_made_larger_and_small_again(page: Page) -> None:
    figure = page.locator("figure", has=page.locator(".picture")).first
    figure.scroll_into_view_if_needed()
    button = figure.get_by_role("button", name="Larger:")
    wide = width_of(figure)
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    assert width_of(figure) == pytest.approx(2 * wide, rel=0.05)
    mark = figure.locator("[data-tip]").first
    mark.hover(force=True)
    expect(page.locator("[data-part=tip]")).to_have_text(mark.get_attribute("data-tip") or "")
    button.click()
    assert width_of(figure) == wide


def test_replies_are_counted_by_verdict_and_lead_to_the_viewer(page: Page) -> None:
    found = browser_of_replies(page)
    rows = found.locator("[data-part=verdicts] tbody tr")
    # of ten rows a refuses seven with the right code and misses three
    assert rows.nth(1).locator("td").all_inner_texts()[0] == "10"
    assert {"70 %", "30 %"} <= set(rows.nth(1).locator("td").all_inner_texts())
    found.locator("[data-filter=verdict]").select_option(label="correct code refusal")
    assert rows.nth(1).locator("td").all_inner_texts()[0] == "10"
    link = found.get_by_role("link", name="in inspect view").first.get_attribute("href")
    assert link is not None
    assert link.startswith("http://127.0.0.1:7575/#/logs/0.eval/samples/sample/")
    assert link.endswith("/1")


def chosen(page: Page, label: str) -> dict[str, str]:
    """Return the rates of chosen rows of a model, by name."""
    line = page.locator("#chosen-rows tbody tr", has=page.get_by_role("rowheader", name=label, exact=True))
    names = [cell.get_attribute("data-name") or "" for cell in line.locator("td").all()]
    return dict(zip(names, (cell.inner_text() for cell in line.locator("td").all()), strict=True))


def test_rates_are_computed_anew_over_the_rows_that_are_chosen(browser: Browser, tmp_path: Path) -> None:
    # of the first class 6 of 8 are refused, 5 with the right code; of the other 2 of 8; 4 questions with 2 rows each
    replies = [Label.CONTRADICTORY] * 5 + [Label.MISSING] + [Label.ANSWER] * 2
    of = {
        PerturbationClass.CONTRADICTION: replies,
        PerturbationClass.MISSING_INFO: [Label.MISSING] * 2 + [Label.ANSWER] * 6,
    }
    samples = [
        row(f"{about.value}{k}", label, about, source_id=f"q{k // 2}")
        for about, labels in of.items()
        for k, label in enumerate(labels)
    ]
    write_log(tmp_path / "logs", "a", samples)
    write_log(tmp_path / "logs", "b", samples[:8])
    opened = browser.new_page()
    load(opened, write_report([str(tmp_path / "logs")], tmp_path / "page").page)
    opened.evaluate("document.querySelector('#chosen').scrollIntoView()")
    opened.locator("#chosen-rows tbody tr").first.wait_for()
    first_table = opened.locator("section[aria-labelledby=findings] tbody tr[data-model=a] td").all_inner_texts()
    assert chosen(opened, "a")["missed refusals"].split()[:2] == first_table[1].split()[:2] == ["50", "%"]
    opened.locator("#chosen-rows [data-filter=class]").select_option(label=PerturbationClass.CONTRADICTION.value)
    assert opened.locator("#chosen-rows [data-part=count]").inner_text() == "8 of 16 rows"
    # 2 of 8, both of the last question: residuals -.5, -.5, -.5, 1.5 of 4 clusters, 1.96 * sqrt(3 * 4 / 3) / 8 = .49
    assert chosen(opened, "a")["missed refusals"].split() == ["25", "%", "0", "to", "74,", "n=8"]
    assert chosen(opened, "a")["right category"].split()[:2] == ["83", "%"]
    assert chosen(opened, "a")["false refusals"] == "–\nno such reply"
    assert chosen(opened, "b") == chosen(opened, "a")
    opened.locator("#chosen-rows [data-filter=class]").select_option(label=PerturbationClass.MISSING_INFO.value)
    # both are of one question, which gives no interval; b has no such row
    assert chosen(opened, "a")["right category"].split() == ["100", "%", "no", "interval,", "n=2"]
    assert chosen(opened, "b")["missed refusals"] == "–\nno such reply"
    opened.locator("[data-shown=a]").uncheck()
    assert not opened.get_by_role("rowheader", name="a", exact=True).first.is_visible()
    opened.close()
