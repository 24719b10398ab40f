"""A gate's checks in the JUnit XML that build servers read."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from refusalbench_tasks.results.gate.rule_checks import Check
from refusalbench_tasks.results.gate.verdict import Verdict
from refusalbench_tasks.tables import Table
from refusalbench_tasks.terminal import one_line, printable


class Suite(NamedTuple):
    """A run's title, the name of its log, its checks, and the rows that fail by rule."""

    title: str
    log: str
    checks: Sequence[Check]
    failing: Table


def junit(suites: Sequence[Suite], undecided: Verdict = "undecided") -> str:
    """Return JUnit XML with a case for each check.

    A check that fails is a `failure`, whose text are the failing rows of its rule. An undecided one is `skipped`, or a
    failure where it counts as one, or passes.
    """
    root = Element("testsuites", name="refusalbench gate")
    for title, log, checks, failing in suites:
        suite = SubElement(root, "testsuite", name=_text(title), file=_text(log))
        for check in checks:
            case, told = SubElement(suite, "testcase", classname=_text(title), name=_text(check.rule)), _told(check)
            SubElement(case, "system-out").text = told
            counts_as = undecided if check.verdict == "undecided" else check.verdict
            if counts_as != "pass":
                element = Element("failure" if counts_as == "fail" else "skipped", message=told)
                rows = [row for row in failing.rows if row["rule"] == check.rule]
                element.text = _lines(Table("", "", rows, names=failing.columns[1:]).as_text()) if rows else ""
                case.insert(0, element)
    for one in (root, *root):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
            one.set(name, str(len(list(one.iter(tag)))))
    indent(root, " ")
    return "<?xml version='1.0' encoding='utf-8'?>\n" + tostring(root, encoding="unicode") + "\n"


def _told(check: Check) -> str:
    found = check.estimate
    interval = f" [{found.low:.3f}, {found.high:.3f}]" if found.has_interval else ""
    value = f"{found.value:.3f}" if found.known else "undefined"
    about = f"; {check.remark}" if check.remark else ""
    return _text(f"{check.verdict}: {value}{interval} n={found.n:.0f}{about}")


def _text(text: str) -> str:
    """Return outside text without the characters that XML can't hold."""
    return _lines(one_line(text))


def _lines(text: str) -> str:
    return "".join("\ufffd" if ord(one) in (0xFFFE, 0xFFFF) else one for one in printable(text))
