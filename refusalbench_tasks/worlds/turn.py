"""Whose turn it is: the lever of a quad, the relations that it can be asked in, and the levers that can join it."""

from functools import cache

from refusalbench_tasks.taxonomy import CLASSES, Intensity
from refusalbench_tasks.worlds.lever import Lever
from refusalbench_tasks.worlds.operations import LEVERS
from refusalbench_tasks.worlds.pack import DOMAINS, EVERYDAY, Pack, Relation, pack
from refusalbench_tasks.worlds.scenario import SCENARIOS


class NoQuad(LookupError):
    """A lever for which no scene has the labels that its quad must have, or domains that no lever fits."""


def due(index: int, domains: tuple[str, ...] = DOMAINS) -> Lever:
    """Return the MEDIUM or HIGH lever of a quad: classes alternate, then intensities, then levers."""
    by_class = _by_class(domains)
    turn, place = divmod(index, len(by_class))
    fits = by_class[place][turn % 2]
    return fits[(turn // 2) % len(fits)]


@cache
def _by_class(domains: tuple[str, ...]) -> list[tuple[list[Lever], list[Lever]]]:
    """Return the MEDIUM and the HIGH levers of each class that has some; all of them for both if one is missing."""
    found = []
    for of in CLASSES:
        hard = [one for one in usable(domains) if one.perturbation is of]
        medium, high = ([one for one in hard if one.intensity is level] for level in (Intensity.MEDIUM, Intensity.HIGH))
        if hard:
            found.append((medium or hard, high or hard))
    return found


@cache
def usable(domains: tuple[str, ...]) -> tuple[Lever, ...]:
    """Return the MEDIUM and HIGH levers that some relation of the domains fits. Raises NoQuad if there is none."""
    found = [one for one in LEVERS if one.intensity is not Intensity.LOW]
    hard = tuple(one for one in found if options(one, domains))
    if not hard:
        raise NoQuad(f"domains {', '.join(domains)}: no lever fits any of their relations")
    return hard


@cache
def options(hard: Lever, domains: tuple[str, ...]) -> tuple[tuple[str, Relation], ...]:
    """Return the relations, with their packs, that a lever can be asked in: of its own topic, or of everyday domains.

    None of them is of a domain that is not among those given.
    """
    topic = SCENARIOS[hard.scenario].topic
    return tuple(
        (name, relation)
        for name in domains
        if (name == topic if topic else name in EVERYDAY)
        for relation in pack(name).relations
        if fitting(hard, pack(name), relation)
    )


@cache
def low_levers(hard: Lever, relation: Relation) -> list[Lever]:
    """Return the LOW levers that can share a quad with a lever: same class, same scenario, same relation."""
    return [
        one
        for one in LEVERS
        if one.perturbation is hard.perturbation
        and one.intensity is Intensity.LOW
        and one.scenario == hard.scenario
        and one.fits(relation)
    ]


@cache
def rarity(lever: Lever, domain: str) -> float:
    """Return how many relations of a pack there are for each that a lever fits, so that all levers have their turn."""
    relations = pack(domain).relations
    return len(relations) / sum(lever.fits(relation) for relation in relations)


def fitting(hard: Lever, of: Pack, relation: Relation) -> bool:
    """Return whether a relation of a pack can be asked in a quad of a lever."""
    return hard.fits(relation) and SCENARIOS[hard.scenario].fits(of, relation) and bool(low_levers(hard, relation))
