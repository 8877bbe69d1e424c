"""Clause 9 of the guarantees: for each reason why a day is not complete, a page says what a person does."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap

from pipeline.sync import refused, storing
from pipeline.sync.proof import Evidence
from tests.support.commands import CHECKOUT

_PAGE = (CHECKOUT / "docs" / "nights.md").read_text(encoding="utf-8")
_COVERAGE = (CHECKOUT / "sql" / "functions" / "coverage_of.sql").read_text(encoding="utf-8")


def _texts_of_proof() -> list[str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(Evidence.reason)))
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    constants = [each for value in returned if value for each in ast.walk(value)]
    return [
        each.value
        for each in constants
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def _texts_of_runs() -> list[str]:
    sources = inspect.getsource(refused.judge_refused), inspect.getsource(storing.store)
    return re.findall(r'reason = "([^";]+)', "".join(sources))


def _texts_of_coverage() -> list[str]:
    case = _COVERAGE.partition("from counted")[0]
    return re.findall(r"then (?:format\(\s*)?'([^']+)'", case.rpartition("case")[2])


def _parts(text: str) -> list[str]:
    """Return what stands between the numbers of a text; *activities* may stand once for several."""
    return [
        part
        for each in re.split("%s", text)
        if (part := each.removeprefix(" activities").strip(" ,"))
    ]


def test_a_page_says_what_to_do_for_each_reason() -> None:
    texts = [*_texts_of_proof(), *_texts_of_runs(), *_texts_of_coverage()]
    parts = [part for text in texts for part in _parts(text)]
    assert len(parts) > 10
    assert [part for part in parts if part not in _PAGE] == []
