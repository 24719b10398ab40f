"""How systems look beside each other."""

from refusalbench_tasks.report.styles import COLOURS, looks_of


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
