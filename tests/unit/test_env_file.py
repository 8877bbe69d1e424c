"""The `.env` of a folder: python-dotenv reads it, and a line that it can't read is refused, not skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.environment import environment, share_with_libraries
from pipeline.settings import SettingsInvalid
from tests.support.commands import make_project

if TYPE_CHECKING:
    from pathlib import Path

#: A line, and its value.
READ = {
    "A=plain": "plain",
    "A=": "",
    "A = spaces around ": "spaces around",
    "A=p%40ss@db:5432/activities?sslmode=verify-full": "p%40ss@db:5432/activities?sslmode=verify-full",
    "A=half#way": "half#way",
    "A=value # a comment": "value",
    "A='$HOME ${A} `x` # \"quoted\"'": '$HOME ${A} `x` # "quoted"',
    "A=${HOME}$1": "${HOME}$1",
    "export A=b": "b",
    "\ufeffA=b": "b",
    "A=contraseña\r": "contraseña",
}

REFUSED = ["A", "=geheim", "A='open geheim", 'A="geheim" c', "A=geheim\0", "DAGSTER_HOME=/geheim"]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("A", raising=False)
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".env"


@pytest.mark.parametrize(("line", "value"), READ.items())
def test_a_line_is_read(file: Path, line: str, value: str) -> None:
    file.write_bytes(f"{line}\n# settings\n\n".encode())
    assert environment()["A"] == value


@pytest.mark.parametrize("line", [*(each.encode() for each in REFUSED), b"A=geheim\xff"])
def test_what_it_cannot_read_is_refused_with_its_line(file: Path, line: bytes) -> None:
    file.write_bytes(b"# settings\nB=1\n" + line + b"\n")
    with pytest.raises(SettingsInvalid, match=r"\.env") as refused:
        environment()
    assert ", line 3: " in str(refused.value) or "DAGSTER_HOME" in str(refused.value)
    assert "geheim" not in str(refused.value)


def test_the_real_environment_comes_first_and_a_changed_file_is_read_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("B", "real")
    monkeypatch.setenv("PGAPPNAME", "to be undone")
    monkeypatch.delenv("PGAPPNAME")
    for value in ("old", "new"):
        file.write_text(f"ACTIVITIES_PASSWORD={value}\nB=file\nPGAPPNAME={value}\n")
        share_with_libraries()
        found = environment()
        assert (found["ACTIVITIES_PASSWORD"], found["B"], found["PGAPPNAME"]) == (
            *(value, "real"),
            "old",  # libraries read the process's environment, which has it from the start
        )


def test_every_command_refuses_it_in_one_line_but_those_without_settings(tmp_path: Path) -> None:
    made = make_project(tmp_path, {})
    env = made.folder / ".env"
    env.write_text("ACTIVITIES_PASSWORD='geheim\n")
    for line in ("--version", "runs", "sync", "export activities"):
        done = made.run(*line.split())
        assert (done.code, len(done.lines)) == (2, 1), done
        assert ".env, line 1: " in done.err
        assert "geheim" not in done.out + done.err
    for line in ("--help", "sync --help", "authorize send --help", "init"):
        assert made.run(*line.split()).code == 0, line
    env.unlink()
    env.symlink_to("nowhere")
    broken = made.run("runs")
    env.unlink()
    env.mkdir()
    for done in (broken, made.run("runs")):
        assert (done.code, len(done.lines)) == (2, 1), done
        assert ".env can't be read: " in done.err
