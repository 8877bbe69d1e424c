"""What is there for people who change the project: forms for issues, and what runs at each commit."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

FORMS = sorted((CHECKOUT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_the_forms_for_issues_are_forms(form: Path) -> None:
    kind = "issue-config" if form.stem == "config" else "issue-forms"
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.github-{kind}"]
    subprocess.run([*check, form], check=True, capture_output=True)


def test_a_commit_begins_as_everything_does() -> None:
    """The hooks run what `.ci/run` runs first, and ask nobody for their programs."""
    config = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (local,) = config["repos"]
    everything = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert local["repo"] == "local"
    for hook in local["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"] in [line.removesuffix(" &") for line in everything]


def test_what_commands_write_about_people_is_never_committed() -> None:
    written = [".env", "person.html", "report.html"]
    check = ["git", "check-ignore", *written]
    done = subprocess.run(check, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == written


def test_the_workflow_runs_what_people_run() -> None:
    """`.ci/run` on Linux; on macOS the README's two commands."""
    workflow = CHECKOUT / ".github" / "workflows" / "ci.yml"
    schema = "vendor.github-workflows"
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    subprocess.run([*check, workflow], check=True, capture_output=True)
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    ran = {name: [step.get("run") for step in job["steps"]] for name, job in jobs.items()}
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in readme if line.startswith("python3 -m venv")]
    assert ".ci/run" in ran["everything"]
    assert ran["macos"][-2:] == commands
