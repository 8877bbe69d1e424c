"""The documentation is true: its commands run, most of them here; what it names and links to exists."""

from __future__ import annotations

import re
import shlex
import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.sandbox import Running, SandboxSettings, SandboxState
from pipeline.settings import describe
from tests.support.commands import CHECKOUT, Project, make_project, service_settings

if TYPE_CHECKING:
    from pathlib import Path

README = CHECKOUT / "README.md"
PAGES = {
    page: page.read_text(encoding="utf-8")
    for page in [README, *sorted((CHECKOUT / "docs").glob("*.md"))]
}
TEXT = "\n".join(PAGES.values())

#: Commands that are run elsewhere, because they install, or serve until they are told to end.
ELSEWHERE = {
    "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[local]'"
    " && .venv/bin/pipeline demo": "test_a_fresh_clone_shows_the_demo",
    "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[local,dev]'"
    " && .venv/bin/pytest -n 3 --dist worksteal": ".ci/run",
    "pipeline dev": "test_one_environment.py",
    "python -m tests.benchmarks": "test_benchmarks.py",
    "python -m tests.benchmarks.questions": "test_benchmarks.py",
    "python -m tests.benchmarks.versions ../before .": "test_benchmarks.py",
    "pipeline ui": "test_deaths.py",
    "pipeline export --all lake": "test_lake.py",
    "pipeline export --all news --since RUN": "test_lake.py",
}


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of a language: the README's, then those of the other pages."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """Return every command line of the shell blocks."""
    return [line for block in blocks("sh") for line in block.splitlines() if line.strip()]


def test_every_command_is_run_somewhere() -> None:
    lines = commands()
    assert set(ELSEWHERE) <= set(lines)
    others = [line for line in lines if line not in ELSEWHERE]
    assert all(shlex.split(line)[0] == "pipeline" for line in others)
    assert len(others) >= 8


def test_every_file_named_exists() -> None:
    named = set(re.findall(r"(?:tests|pipeline|sql)/[\w./-]+", TEXT))
    assert len(named) >= 6
    assert [name for name in named if not (CHECKOUT / name.rstrip(".")).exists()] == []


def test_the_readme_is_a_front_door_and_pages_for_operators_and_the_glossary_are_short() -> None:
    assert len(PAGES[README].splitlines()) <= 170
    for name in ("operations", "nights", "upkeep"):
        assert len(PAGES[CHECKOUT / "docs" / f"{name}.md"].splitlines()) <= 170, name
    terms = re.findall(r"^\| (?!term |-)", PAGES[CHECKOUT / "docs" / "glossary.md"], re.MULTILINE)
    assert 20 <= len(terms) <= 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([\w-]+))?\)", PAGES[page]):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        if anchor:
            text = file.read_text(encoding="utf-8")
            assert anchor in {_anchor(each) for each in headings(text)}, f"{target}#{anchor}"


def headings(text: str) -> list[str]:
    """Return the headings of a page of Markdown."""
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


#: ``docs/service.md 4.3`` or ``docs/design.md "Walk"``; a page by itself cites all of it.
_CITATION = re.compile(r'docs/(\w+)\.md(?:\s+(?:"([^"]+)"|(\d+(?:\.\d+)*)))?')


def test_every_citation_leads_to_a_heading() -> None:
    cited = 0
    for file in [*(CHECKOUT / "pipeline").rglob("*.py"), *(CHECKOUT / "sql").rglob("*.sql")]:
        for page, title, number in _CITATION.findall(file.read_text(encoding="utf-8")):
            text = PAGES.get(CHECKOUT / "docs" / f"{page}.md")
            assert text is not None, f"{file}: docs/{page}.md"
            found = headings(text)
            numbers = {each.split(" ")[0].rstrip(".") for each in found}
            numbers |= set(re.findall(r"^(\d+)\. ", text, re.MULTILINE))
            assert not title or title in found, f'{file}: docs/{page}.md "{title}"'
            assert not number or number in numbers, f"{file}: docs/{page}.md {number}"
            cited += 1
    assert cited >= 40


def test_nothing_cites_what_is_not_in_the_repository() -> None:
    elsewhere = re.compile(
        r"\b(?:specification|spec\. \d|\(design|the contract|contract rule)", re.IGNORECASE
    )
    files = [*(CHECKOUT / "pipeline").rglob("*.py"), *(CHECKOUT / "sql").rglob("*.sql")]
    assert [str(file) for file in files if elsewhere.search(file.read_text("utf-8"))] == []


def test_every_test_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) >= 20
    sources = [path.read_text(encoding="utf-8") for path in (CHECKOUT / "tests").rglob("*.py")]
    defined = set(re.findall(r"def (test_\w+)\(", "\n".join(sources)))
    assert named <= defined, named - defined


def test_the_test_of_each_promise_names_its_clause() -> None:
    page = PAGES[CHECKOUT / "docs" / "guarantees.md"]
    rows = re.findall(r"^\| (\d+)\b.* \| ([^|]+) \|$", page, re.MULTILINE)
    assert len(rows) > 70
    sources = [path.read_text(encoding="utf-8") for path in (CHECKOUT / "tests").rglob("test_*.py")]
    for clause, tests in rows:
        for name in re.findall(r"`(test_\w+)`", tests):
            (source,) = [each for each in sources if f"def {name}(" in each]
            named = re.search(r"[Cc]lauses? ([\d, and]+)", source.split('"""')[1])
            assert named, name
            assert clause in named[1], name


def test_commands_against_a_service(tmp_path: Path, database_url: str) -> None:
    settings = SandboxSettings(activities=60, days=30, seed=4)
    with Running(SandboxState(settings)) as sandbox:
        environment = service_settings(sandbox.base_url, settings.credentials)
        recent = str(datetime.now(UTC).date() - timedelta(days=settings.days))
        project: Project = make_project(tmp_path, environment | {"WAREHOUSE_URL": database_url})
        (people,) = blocks("csv")
        (tmp_path / "people.csv").write_text(people, encoding="utf-8")
        for line in commands():
            if line not in ELSEWHERE:
                # `pipeline sync` makes up for every night since the start: each day one more, if it
                # were always the README's quarter.
                start = "2026-01-01" if "--from" in line else recent
                arguments = shlex.split(line)[1:]
                done = project.run(*arguments, ACTIVITIES_START_DATE=start)
                assert done.code == 0, f"{line}\n{done}"
    with psycopg.connect(database_url) as connection:
        statements = [text for block in blocks("sql") for text in block.split(";") if text.strip()]
        assert len(statements) >= 3
        for statement in statements:
            assert connection.execute(statement.encode()).rowcount > 0


def test_commands_for_other_machines_name_what_is_there() -> None:
    named = re.findall(r"pipeline/deploy/[\w./-]+", "".join(blocks("console")))
    assert len(named) >= 4
    for name in [*named, "constraints.txt", "dagster.yaml", "workspace.yaml"]:
        assert (CHECKOUT / name).is_file()
    deployed = {file.name for file in (CHECKOUT / "pipeline" / "deploy").iterdir()}
    told = set(re.findall(r"`(dagster\.\w+\.yaml|Containerfile|helm-values\.yaml)`", TEXT))
    told |= {f"{name}.service" for name in re.findall(r"`(pipeline-\w+)`", TEXT)}
    told |= {name.rpartition("/")[2] for name in re.findall(r"pipeline/deploy/[\w./-]+", TEXT)}
    assert told == deployed - {"Containerfile.dockerignore"}


def test_settings_and_exit_codes_are_those_of_the_code() -> None:
    named = set(re.findall(r"`((?:ACTIVITIES|WAREHOUSE)_\w+)`", TEXT))
    assert {name for name, _ in describe()} == named


@pytest.mark.fresh
@pytest.mark.timeout(900)
def test_a_fresh_clone_shows_the_demo(tmp_path: Path) -> None:
    clone = tmp_path / "a fresh clone"
    subprocess.run(["git", "clone", "-q", str(CHECKOUT), str(clone)], check=True)
    first = commands()[0]
    assert first.endswith("pipeline demo")
    done = subprocess.run(first, shell=True, cwd=clone, capture_output=True, text=True, check=False)  # noqa: S602 - the README's own words
    assert done.returncode == 0, done.stdout + done.stderr
    rows = dict(re.findall(r"(warehouse\.\w+)\W+([\d,]+)", done.stdout))
    assert rows.pop("warehouse.kept_decisions") == "0"  # nothing was withdrawn
    assert len(rows) == 7
    assert all(int(number.replace(",", "")) > 0 for number in rows.values())
    more = (
        ".venv/bin/activity-warehouse --version",
        ".venv/bin/pip install -q -c constraints.txt -e '.[dg]'",
        "DAGSTER_HOME=$PWD .venv/bin/dg check defs",
        "DAGSTER_HOME=$PWD .venv/bin/dg list defs",
    )
    for command in more:
        subprocess.run(command, shell=True, cwd=clone, check=True)  # noqa: S602 - as the README says it
