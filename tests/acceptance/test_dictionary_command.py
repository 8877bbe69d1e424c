"""`pipeline dictionary`: writes the dictionary, or says in one line why it can't."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from tests.support.commands import make_project

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_printed_or_written(tmp_path: Path, migrated_url: str) -> None:
    made = make_project(tmp_path / "project", {"WAREHOUSE_URL": migrated_url})
    printed = made.run("dictionary")
    assert (printed.code, printed.err) == (0, "")
    assert printed.out.startswith("# What is in the warehouse\n")
    assert made.run("dictionary", "-o", "written.md").code == 0
    assert (made.folder / "written.md").read_text(encoding="utf-8") == printed.out


def test_one_line_where_it_cannot_be(tmp_path: Path, migrated_url: str, database_url: str) -> None:
    made = make_project(tmp_path / "project", {"WAREHOUSE_URL": migrated_url})
    nowhere = made.run("dictionary", "--output", "no/such/folder.md")
    assert nowhere.code == 2
    (line,) = nowhere.lines
    assert line.startswith("error: no/such/folder.md can't be written: ")
    empty = made.run("dictionary", WAREHOUSE_URL=database_url)
    assert empty.code == 2
    assert "`pipeline migrate`" in empty.err
    assert len(empty.lines) == 1


def test_dbt_gets_its_sources_with_tests_of_keys_and_relations(
    tmp_path: Path, migrated_url: str
) -> None:
    made = make_project(tmp_path / "project", {"WAREHOUSE_URL": migrated_url})
    assert made.run("dictionary", "--format", "dbt", "-o", "sources.yml").code == 0
    found = yaml.safe_load((made.folder / "sources.yml").read_text(encoding="utf-8"))
    tables = {
        f"{source['name']}.{table['name']}": table
        for source in found["sources"]
        for table in source["tables"]
    }
    assert all(
        column["description"] and column["data_type"]
        for table in tables.values()
        for column in table["columns"]
    )
    columns = {column["name"]: column for column in tables["warehouse.activities"]["columns"]}
    assert columns["id"]["data_tests"] == ["not_null", "unique"]
    assert columns["description"]["config"] == {"tags": ["message"]}
    assert "config" not in columns["status"]
    entity = {"to": "source('warehouse', 'entities')", "field": "id"}
    assert columns["entity_id"]["data_tests"] == [{"relationships": {"arguments": entity}}]
    assert "freshness" in tables["analytics.freshness"]["config"]
