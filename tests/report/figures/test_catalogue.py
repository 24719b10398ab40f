"""The figures of a report."""

from pathlib import Path


def test_the_page_says_why_a_figure_that_logs_do_not_allow_is_missing(
    written: tuple[Path, str],
) -> None:
    out, _ = written
    page = (out / "index.html").read_text()
    assert (
        "reliability diagram (RefusalBench, Figure 7, 19): no run has stated confidence"
        in page
    )
    assert not (out / "figures/nq-reliability.svg").exists()
    assert (
        "thinking tokens (RefusalBench, Figure 32): no model with two budgets" in page
    )
