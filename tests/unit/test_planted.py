"""Each row of docs/guarantees.md has a fault that takes its mechanism out (`python -m tests.planted`)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.planted import ROOT, Fault, read_faults, read_rows

if TYPE_CHECKING:
    from pathlib import Path

ROWS = {row.mechanism: row for row in read_rows()}
FAULTS = read_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.row)
def test_each_fault_can_be_planted(fault: Fault, tmp_path: Path) -> None:
    (tmp_path / fault.file).parent.mkdir(parents=True)
    shutil.copy(ROOT / fault.file, tmp_path / fault.file)
    former = fault.plant(tmp_path)
    assert (tmp_path / fault.file).read_text(encoding="utf-8") != former
    assert fault.file in ROWS[fault.row].files


def test_each_row_has_a_fault_and_a_test() -> None:
    assert len(ROWS) > 100
    with_mechanism = {row.mechanism for row in ROWS.values() if row.files}
    assert {fault.row for fault in FAULTS} == with_mechanism
    assert all(row.tests for row in ROWS.values())
