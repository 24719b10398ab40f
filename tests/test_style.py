"""How the code of the package is written, where no linter checks it."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "refusalbench_tasks"
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SIMPLE_STATEMENTS = (
    ast.AnnAssign,
    ast.Assert,
    ast.Assign,
    ast.AugAssign,
    ast.Delete,
    ast.Expr,
    ast.Raise,
    ast.Return,
)
DENSE_STATEMENTS = {
    "metrics": 1,
    "results": 2,
}
"""How many statements of a package may hold more than one comprehension or conditional
expression. Lower a number when you rewrite one; no number rises.
"""


def modules() -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE), path.read_text(encoding="utf-8")


def is_dense(statement: ast.AST) -> bool:
    nodes = list(ast.walk(statement))
    comprehensions = sum(isinstance(node, COMPREHENSIONS) for node in nodes)
    conditionals = sum(isinstance(node, ast.IfExp) for node in nodes)
    return comprehensions > 1 or conditionals > 1


def dense_statements(source: str) -> list[int]:
    """Return the lines of simple statements with a second comprehension or conditional
    expression.
    """
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, SIMPLE_STATEMENTS) and is_dense(node)
    ]


def tuples_of_constants(source: str) -> list[int]:
    """Return the lines of a module that assign several values to several names."""
    return [
        node.lineno
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
    ]


def test_no_line_is_left_out_of_the_formatting() -> None:
    for path, source in modules():
        assert not re.search(r"#\s*fmt:\s*(?:skip|off)", source), path


def test_each_constant_has_a_line() -> None:
    assert tuples_of_constants("A, B = 1, 2") == [1]
    assert tuples_of_constants("A = B = 1\ndef f():\n    a, b = 1, 2") == []
    for path, source in modules():
        assert tuples_of_constants(source) == [], path


def test_no_package_has_more_dense_statements_than_it_had() -> None:
    assert dense_statements("x = [a for a in b]\ny = c if d else e") == []
    assert dense_statements("x = [[a for a in b] for b in c]") == [1]
    assert dense_statements("def f():\n    return a if b else c if d else e") == [2]
    lines: dict[str, list[str]] = {}
    for path, source in modules():
        dense = [f"{path}:{line}" for line in dense_statements(source)]
        lines.setdefault(path.parts[0], []).extend(dense)
    for package, places in lines.items():
        assert len(places) <= DENSE_STATEMENTS.get(package, 0), places


def parts_of(node: ast.AST) -> list[ast.arg] | list[ast.expr]:
    """Return the parameters of a signature or the arguments of a call."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        given = node.args
        more = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *more]
        return [arg for arg in every if arg.arg not in ("self", "cls")]
    if isinstance(node, ast.Call):
        return [*node.args, *(keyword.value for keyword in node.keywords)]
    return []


def crowded_lines(source: str) -> list[int]:
    """Return the lines on which four parameters or arguments begin."""
    crowded = []
    for node in ast.walk(ast.parse(source)):
        starts = Counter(part.lineno for part in parts_of(node))
        crowded += [line for line, count in starts.items() if count > 3]
    return crowded


def test_four_parameters_or_arguments_have_a_line_each() -> None:
    assert crowded_lines("f(a, b, c)\ndef g(a, b, c): ...") == []
    assert crowded_lines("f(a, b, c=1, *d)") == [1]
    assert crowded_lines("def f(a, *, b, c, d=2): ...") == [1]
    for path, source in modules():
        assert crowded_lines(source) == [], path
