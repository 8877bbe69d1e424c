"""Every command of the README is run: most of them here, in the README's order."""

from __future__ import annotations

import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.sandbox import Sandbox, SandboxSettings
from tests.support.commands import CHECKOUT, Project, make_project, service_settings

if TYPE_CHECKING:
    from pathlib import Path

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")

#: Commands that are run elsewhere, because they install, or serve until they are told to end.
ELSEWHERE = {
    "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[local]'"
    " && .venv/bin/pipeline demo": "test_a_fresh_clone_shows_the_demo",
    "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[local,dev]'"
    " && .venv/bin/pytest -n 3 --dist worksteal": ".ci/run",
    "pipeline dev": "test_demo.py",
    "pipeline drill": "test_drill.py",
    "python -m tests.benchmarks": "test_benchmarks.py",
    "dagster dev": "test_dagster.py",
}


def blocks(language: str) -> list[str]:
    """Return the README's fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """Return every command line of the README's shell blocks."""
    return [line for block in blocks("sh") for line in block.splitlines() if line.strip()]


def test_every_command_is_run_somewhere() -> None:
    lines = commands()
    assert set(ELSEWHERE) <= set(lines)
    others = [line for line in lines if line not in ELSEWHERE]
    assert all(shlex.split(line)[0] == "pipeline" for line in others)
    assert len(others) >= 8


def test_every_file_named_exists() -> None:
    named = set(re.findall(r"(?:tests|pipeline|sql)/[\w./-]+", README))
    assert len(named) >= 6
    assert [name for name in named if not (CHECKOUT / name.rstrip(".")).exists()] == []


def test_every_test_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", README))
    assert len(named) >= 20
    sources = [path.read_text(encoding="utf-8") for path in (CHECKOUT / "tests").rglob("*.py")]
    defined = set(re.findall(r"def (test_\w+)\(", "\n".join(sources)))
    assert named <= defined, named - defined


# `pipeline sync` makes up for every night since the quarter: more each day.
@pytest.mark.timeout(600)
def test_commands_against_a_service(tmp_path: Path, database_url: str) -> None:
    settings = SandboxSettings(activities=60, days=30, seed=4)
    with Sandbox(settings).serve() as sandbox:
        environment = service_settings(sandbox.base_url, settings.credentials)
        project: Project = make_project(tmp_path, environment | {"WAREHOUSE_URL": database_url})
        (people,) = blocks("csv")
        (tmp_path / "people.csv").write_text(people, encoding="utf-8")
        for line in commands():
            if line not in ELSEWHERE:
                with project.start(*shlex.split(line)[1:]) as command:
                    done = command.end(400)
                assert done.code == 0, f"{line}\n{done}"
    with psycopg.connect(database_url) as connection:
        statements = [text for block in blocks("sql") for text in block.split(";") if text.strip()]
        assert len(statements) == 3
        for statement in statements:
            assert connection.execute(statement.encode()).fetchall()


def test_commands_for_other_machines_name_what_is_there() -> None:
    named = re.findall(r"pipeline/deploy/[\w./-]+", "".join(blocks("console")))
    assert len(named) >= 4
    for name in [*named, "constraints.txt", "dagster.yaml", "workspace.yaml"]:
        assert (CHECKOUT / name).is_file()
    deployed = {file.name for file in (CHECKOUT / "pipeline" / "deploy").iterdir()}
    told = set(re.findall(r"`(dagster\.\w+\.yaml|Containerfile|helm-values\.yaml)`", README))
    told |= {f"{name}.service" for name in re.findall(r"`(pipeline-\w+)`", README)}
    assert told == deployed - {"Containerfile.dockerignore"}


def test_settings_and_exit_codes_are_those_of_the_code() -> None:
    code = (CHECKOUT / "pipeline" / "settings.py").read_text(encoding="utf-8")
    in_code = set(re.findall(r'"((?:ACTIVITIES|WAREHOUSE)_\w+)"', code))
    in_table = set(re.findall(r"`((?:ACTIVITIES|WAREHOUSE)_\w+)`", README))
    assert in_code == in_table


@pytest.mark.fresh
@pytest.mark.timeout(900)
def test_a_fresh_clone_shows_the_demo(tmp_path: Path) -> None:
    clone = tmp_path / "a fresh clone"
    subprocess.run(["git", "clone", "-q", str(CHECKOUT), str(clone)], check=True)
    first = commands()[0]
    assert first.endswith("pipeline demo")
    done = subprocess.run(first, shell=True, cwd=clone, capture_output=True, text=True, check=False)  # noqa: S602 - the README's own words
    assert done.returncode == 0, done.stdout + done.stderr
    rows = dict(re.findall(r"(warehouse\.\w+)\s*\S\s+([\d,]+)", done.stdout))
    assert len(rows) == 7
    assert all(int(number.replace(",", "")) > 0 for number in rows.values())
