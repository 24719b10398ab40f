"""A gate's checks in the JUnit XML that build servers read."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from refusalbench_tasks.replies.outside_text import one_line, printable
from refusalbench_tasks.results.gate.rule_checks import Gated
from refusalbench_tasks.results.gate.verdict import Verdict
from refusalbench_tasks.tables import Table


def junit(
    found: Sequence[Gated], failing: Sequence[Table], undecided: Verdict = "undecided"
) -> str:
    """Return JUnit XML with a case for each check.

    A check that fails is a `failure`, whose text are the failing rows of its rule. An
    undecided one is `skipped`, or a failure where it counts as one, or passes.
    """
    root = Element("testsuites", name="refusalbench gate")
    for one, replies in zip(found, failing, strict=True):
        title = _text(one_line(one.title))
        suite = SubElement(
            root,
            "testsuite",
            name=title,
            file=_text(one_line(one.run.name.rpartition("/")[2])),
        )
        for check in one.checks:
            case = SubElement(
                suite, "testcase", classname=title, name=_text(one_line(check.rule))
            )
            told = _text(one_line(f"{check.verdict}: {check.told}"))
            counts_as = undecided if check.verdict == "undecided" else check.verdict
            if counts_as != "pass":
                element = SubElement(
                    case, "failure" if counts_as == "fail" else "skipped", message=told
                )
                rows = [row for row in replies.rows if row["rule"] == check.rule]
                element.text = (
                    _text(Table("", "", rows, names=replies.columns[1:]).as_text())
                    if rows
                    else ""
                )
            SubElement(case, "system-out").text = told
    for part in (root, *root):
        for name, tag in (
            ("tests", "testcase"),
            ("failures", "failure"),
            ("skipped", "skipped"),
        ):
            part.set(name, str(len(list(part.iter(tag)))))
    indent(root, " ")
    return (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        + tostring(root, encoding="unicode")
        + "\n"
    )


def _text(text: str) -> str:
    """Return outside text without the characters that XML can't hold."""
    return "".join(
        "\ufffd" if ord(one) in (0xFFFE, 0xFFFF) else one for one in printable(text)
    )
