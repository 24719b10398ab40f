"""A gate's checks in the JUnit XML that build servers read."""

from collections.abc import Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from refusalbench_tasks.log_reading import file_name
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.tables import Table

from .rule_checks import Gated
from .verdict import Verdict

_COUNTED = {
    "tests": "testcase",
    "failures": "failure",
    "skipped": "skipped",
    "errors": "error",
}
"""The elements that the attributes of a suite count."""
_ELEMENTS = {"fail": "failure", "undecided": "skipped"}
_NAME = "refusalbench gate"
_NOT_IN_XML = str.maketrans(dict.fromkeys("\ufffe\uffff", "\ufffd"))


def junit(
    gates: Sequence[Gated],
    failing: Sequence[Table],
    undecided: Verdict = "undecided",
) -> str:
    """Return JUnit XML with a case for each check.

    A check that fails is a `failure`, whose text are the failing rows of its rule. An
    undecided one is `skipped`, or a failure where it counts as one, or passes.
    """
    root = Element("testsuites", name=_NAME)
    for gated, replies in zip(gates, failing, strict=True):
        title = _text(gated.title)
        suite = SubElement(
            root,
            "testsuite",
            name=title,
            file=_text(file_name(gated.run.name)),
        )
        for check in gated.checks:
            case = SubElement(
                suite,
                "testcase",
                classname=title,
                name=_text(check.rule),
            )
            message = _text(f"{check.verdict}: {check.told}")
            kind = _ELEMENTS.get(check.counts_as(undecided))
            if kind:
                element = SubElement(case, kind, message=message)
                rows = [row for row in replies.rows if row["rule"] == check.rule]
                if rows:
                    table = replace(replies, rows=rows, names=replies.columns[1:])
                    element.text = table.as_text().translate(_NOT_IN_XML)
            SubElement(case, "system-out").text = message
    return _written(root)


def junit_error(problem: str) -> str:
    """Return JUnit XML of a gate that can't be held: one case with an `error`."""
    root = Element("testsuites", name=_NAME)
    case = SubElement(SubElement(root, "testsuite", name=_NAME), "testcase", name=_NAME)
    SubElement(case, "error", message=_text(problem))
    return _written(root)


def _written(root: Element) -> str:
    for part in (root, *root):
        for name, tag in _COUNTED.items():
            part.set(name, str(len(list(part.iter(tag)))))
    indent(root, " ")
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, 'unicode')}\n"


def _text(text: str) -> str:
    """Return outside text without the characters that XML can't hold."""
    return one_line(text).translate(_NOT_IN_XML)
