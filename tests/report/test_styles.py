"""How systems look beside each other."""

import pytest

from refusalbench_tasks.report import reply_kinds
from refusalbench_tasks.report.figures import data_sets, searching
from refusalbench_tasks.report.styles import COLOURS, SERIES, SOFT, looks_of


def test_a_system_keeps_its_colour_on_every_page_that_others_join_later() -> None:
    models = [f"model-{k}" for k in range(20)]
    alone = looks_of(models[:1])[models[0]]
    for n in (2, 5, 20):
        assert looks_of(models[:n])[models[0]] == alone
        assert {
            name: look for name, look in looks_of(models).items() if name in models[:n]
        } == looks_of(models[:n])


def test_no_two_systems_look_alike_and_eight_have_eight_colours() -> None:
    looks = looks_of(f"model-{k}" for k in range(40))
    assert len({(look.colour, look.marker) for look in looks.values()}) == 40
    assert len({look.colour for look in looks_of(map(str, range(8))).values()}) == len(
        COLOURS
    )


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = []
    for byte in bytes.fromhex(colour.removeprefix("#")):
        part = byte / 255
        parts.append(
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        )
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("ground", ["#ffffff", "#0d1117"])
def test_every_colour_stands_out_from_a_white_page_and_from_a_dark_one(
    ground: str,
) -> None:
    # the page draws this grey in the lighter one that it has for the dark
    kinds = {*reply_kinds.COLOURS.values(), *searching._COLOURS.values()} - {SOFT}
    for colour in (*COLOURS, *SERIES, *kinds, *data_sets._COLOURS):
        low, high = sorted([luminance(colour), luminance(ground)])
        assert (high + 0.05) / (low + 0.05) >= 3, colour
