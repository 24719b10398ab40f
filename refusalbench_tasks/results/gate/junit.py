"""A gate's checks in the JUnit XML that build servers read."""

from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from refusalbench_tasks.results.gate.checks import Check
from refusalbench_tasks.results.gate.verdict import Verdict
from refusalbench_tasks.terminal import one_line


def junit(
    runs: Sequence[tuple[str, str, Sequence[Check]]], remark: Callable[[Check], str], undecided: Verdict = "undecided"
) -> str:
    """Return JUnit XML: a suite for each run (its title, the name of its log, its checks), a case for each check.

    A check that failed is a `failure`. An undecided one is `skipped`, or a failure where it counts as one, or passes.
    """
    root = Element("testsuites", name="refusalbench gate")
    totals = {"tests": 0, "failures": 0, "skipped": 0}
    for title, log, checks in runs:
        suite = SubElement(root, "testsuite", name=_text(title), file=_text(log))
        counts = dict.fromkeys(totals, 0)
        for check in checks:
            counts["tests"] += 1
            kind = _add_case(suite, title, check, _told(check, remark(check)), undecided)
            if kind:
                counts[kind] += 1
        for name, count in counts.items():
            suite.set(name, str(count))
            totals[name] += count
    for name, count in totals.items():
        root.set(name, str(count))
    indent(root, " ")
    return "<?xml version='1.0' encoding='utf-8'?>\n" + tostring(root, encoding="unicode") + "\n"


def _add_case(suite: Element, title: str, check: Check, told: str, undecided: Verdict) -> str:
    """Add the case of a check, and return which count it goes to."""
    case = SubElement(suite, "testcase", classname=_text(title), name=_text(check.rule))
    SubElement(case, "system-out").text = told
    counts_as = undecided if check.verdict == "undecided" else check.verdict
    if counts_as == "held":
        return ""
    tag, count = ("failure", "failures") if counts_as == "failed" else ("skipped", "skipped")
    case.insert(0, Element(tag, message=told))
    return count


def _told(check: Check, remark: str) -> str:
    estimate = check.estimate
    interval = f" [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate.low == estimate.low else ""
    value = f"{estimate.value:.3f}" if estimate.value == estimate.value else "undefined"
    about = f"; {remark}" if remark else ""
    return _text(f"{check.verdict}: {value}{interval} n={estimate.n:.0f}{about}")


def _text(text: str) -> str:
    """Return outside text without the characters that XML can't hold."""
    return "".join("�" if ord(one) in (0xFFFE, 0xFFFF) else one for one in one_line(text))
