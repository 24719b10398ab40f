"""A gate's checks in the JUnit XML that build servers read."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from refusalbench_tasks.results.gate.checks import Check
from refusalbench_tasks.results.gate.verdict import Verdict
from refusalbench_tasks.terminal import one_line, printable


def junit(
    runs: Sequence[tuple[str, str, Sequence[tuple[Check, str]]]],
    undecided: Verdict = "undecided",
    failing: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """Return JUnit XML: a suite for each run (title, name of its log, checks with a remark), a case for each check.

    A check that fails is a `failure`, whose text are the failing rows by title and rule. An undecided one is `skipped`,
    or a failure where it counts as one, or passes.
    """
    root = Element("testsuites", name="refusalbench gate")
    totals = {"tests": 0, "failures": 0, "skipped": 0}
    for title, log, checks in runs:
        suite = SubElement(root, "testsuite", name=_text(title), file=_text(log))
        counts = dict.fromkeys(totals, 0)
        for check, remark in checks:
            case = SubElement(suite, "testcase", classname=_text(title), name=_text(check.rule))
            told = _told(check, remark)
            SubElement(case, "system-out").text = told
            counts["tests"] += 1
            counts_as = undecided if check.verdict == "undecided" else check.verdict
            if counts_as != "pass":
                tag, count = ("failure", "failures") if counts_as == "fail" else ("skipped", "skipped")
                element = Element(tag, message=told)
                element.text = _lines((failing or {}).get((title, check.rule), ""))
                case.insert(0, element)
                counts[count] += 1
        for name, n in counts.items():
            suite.set(name, str(n))
            totals[name] += n
    for name, n in totals.items():
        root.set(name, str(n))
    indent(root, " ")
    return "<?xml version='1.0' encoding='utf-8'?>\n" + tostring(root, encoding="unicode") + "\n"


def _told(check: Check, remark: str) -> str:
    found = check.estimate
    interval = f" [{found.low:.3f}, {found.high:.3f}]" if found.has_interval else ""
    value = f"{found.value:.3f}" if found.known else "undefined"
    about = f"; {remark}" if remark else ""
    return _text(f"{check.verdict}: {value}{interval} n={found.n:.0f}{about}")


def _text(text: str) -> str:
    """Return outside text without the characters that XML can't hold."""
    return _lines(one_line(text))


def _lines(text: str) -> str:
    return "".join("\ufffd" if ord(one) in (0xFFFE, 0xFFFF) else one for one in printable(text))
