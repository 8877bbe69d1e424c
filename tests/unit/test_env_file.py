"""One .env for systemd and for the program: what they would read in different ways is refused."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from dotenv import dotenv_values
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.commands.console import UsageWrong
from pipeline.commands.env_file import read_env_file
from tests.support.commands import make_project

#: Has systemd's own parser of such files. It expands `$`, which an EnvironmentFile does not.
GENERATOR = Path("/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator")

#: A line, and the value that every reader takes from it.
ALIKE = {
    "A=plain": "plain",
    "A=": "",
    "A = spaces around ": "spaces around",
    "A=postgresql://pipeline:p%40ss@db:5432/activities?sslmode=verify-full": (
        "postgresql://pipeline:p%40ss@db:5432/activities?sslmode=verify-full"
    ),
    "A=half#way": "half#way",
    "A='$HOME ${A} `x` # \"quoted\"'": '$HOME ${A} `x` # "quoted"',
    'A="it\'s # here"': "it's # here",
    "A=contraseña": "contraseña",
    "A=carriage\r": "carriage",
}

REFUSED = [
    "export A=geheim",
    "A",
    "2A=b",
    "A=geheim # a comment",
    "A=#geheim",
    "A=$geheim",
    "A=${HOME}",
    'A="$HOME"',
    "A=back\\slash",
    'A="back\\slash"',
    "A='back\\slash'",
    "A=it's",
    "A='it''s'",
    "A='open",
    'A="b" c',
    "A=`date`",
    "# continued \\",
    "; a comment of systemd",
    "\ufeffA=b",
    "A=rare\u00a0# space",
    "A=rare\u2003",
    "export = 5",
    "# a comment\0",
    "A=mark\ufeff",
    *(f"A='{each}'" for each in "\ufdd0\ufdef\ufffe\uffff\U0010ffff"),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("A", "to be undone")
    monkeypatch.delenv("A")
    return tmp_path / ".env"


def write(file: Path, text: str) -> None:
    file.write_bytes(text.encode())


@pytest.mark.parametrize(("line", "value"), ALIKE.items())
def test_what_all_read_alike_is_read(file: Path, line: str, value: str) -> None:
    write(file, f"# settings\n\n{line}\n")
    read_env_file(file)
    assert os.environ["A"] == value


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_ambiguous_is_refused_with_its_line(file: Path, line: str) -> None:
    write(file, f"# settings\nB=1\n{line}\n")
    with pytest.raises(UsageWrong, match=r"\.env, line 3: ") as refused:
        read_env_file(file)
    assert "A" not in os.environ
    assert "geheim" not in str(refused.value)


def test_what_is_not_utf8_is_refused(file: Path) -> None:
    file.write_bytes(b"A=\xff\n")
    with pytest.raises(UsageWrong, match="line 1"):
        read_env_file(file)


def test_a_command_refuses_it_in_one_line(tmp_path: Path) -> None:
    made = make_project(tmp_path, {})
    write(made.folder / ".env", "export ACTIVITIES_PASSWORD=geheim\n")
    done = made.run("--version")
    assert done.code == 2
    (line,) = done.lines
    assert ".env, line 1" in line
    assert "geheim" not in done.out + done.err


def test_what_is_no_readable_file_is_named_in_a_line(tmp_path: Path) -> None:
    made = make_project(tmp_path, {})
    (made.folder / ".env").symlink_to("nowhere")
    broken = made.run("runs")
    (made.folder / ".env").unlink()
    (made.folder / ".env").mkdir()
    for done in (broken, made.run("runs")):
        assert (done.code, len(done.lines)) == (2, 1), done
        assert ".env can't be read: " in done.err


def test_what_needs_no_settings_works_beside_a_refused_file(tmp_path: Path) -> None:
    made = make_project(tmp_path, {})
    write(made.folder / ".env", "export A=1\n")
    for line in ("--help", "sync --help", "authorize send --help", "init"):
        assert made.run(*line.split()).code == 0, line


def is_taken(line: str) -> bool:
    """Whether the program takes a file with only this line."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / ".env", line)
        try:
            read_env_file(folder / ".env")
        except UsageWrong:
            return False
        finally:
            os.environ.pop("A", None)
    return True


@pytest.mark.system
@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("ab =#;'\"\\`\t\u00a0\u2028é", max_size=8), min_size=30))
def test_systemd_reads_what_is_taken_as_we_do(values: list[str]) -> None:
    assert GENERATOR.exists(), "no systemd here: `apt-get install systemd` brings it"
    taken = [value for value in values if is_taken(f"A={value}")]
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "environment.d" / "settings.conf"
        file.parent.mkdir()
        write(file, "".join(f"V{number}={value}\n" for number, value in enumerate(taken)))
        environment = {"XDG_CONFIG_HOME": str(folder)}
        said = subprocess.run([GENERATOR], env=environment, capture_output=True, check=True)
        # It escapes more than shlex takes back; no value that is taken has a backslash of its own.
        shown = said.stdout.decode().replace("\\t", "\t").replace("\\`", "`")
        found = dict(each.split("=", 1) for each in shlex.split(shown))
        ours = dotenv_values(file, interpolate=False)
    assert {name: found.get(name, "") for name in ours} == ours
