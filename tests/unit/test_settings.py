"""The settings: what `pipeline init` and docs/operations.md say of them is what the code reads."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

import pipeline
from pipeline.settings import SettingsInvalid, describe, load_settings, parse_base_url
from tests.support.commands import CHECKOUT, Command, Project

_ROW = re.compile(r"^\| (`[A-Z][^|]*) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def documented() -> dict[str, tuple[str, str]]:
    """Return meaning and default of each setting, as docs/operations.md has them, without markup."""
    page = (CHECKOUT / "docs" / "operations.md").read_text(encoding="utf-8")
    found: dict[str, tuple[str, str]] = {}
    for names, meaning, default in _ROW.findall(page):
        plain = _LINK.sub(r"\1", meaning).replace("`", ""), default.replace("`", "")
        found |= dict.fromkeys(re.findall(r"`(\w+)`", names), plain)
    return found


def test_the_documentation_has_each_setting_with_its_meaning_and_default() -> None:
    meanings = tomllib.loads((Path(pipeline.__file__).parent / "settings.toml").read_text("utf-8"))
    settings = dict(describe())
    table = documented()
    assert list(meanings) == list(table)
    assert meanings.keys() == settings.keys()
    for name, default in settings.items():
        said = {None: "required", "": "none"}.get(default, default)
        assert table[name] == (meanings[name], (said or "").removesuffix(".0")), name


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("localhost:80", "scheme"),
        ("ftp://x", "scheme"),
        ("http://", "host"),
        ("http://u:geheim@h", "credentials"),
        ("http://h?geheim=1", "query"),
        ("http://h:99999", "not a URL"),
        ("http://h:0", "host"),
        ("http://geheim\0", "not a URL"),
    ],
)
def test_an_impossible_base_url_is_refused_without_quoting_it(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        parse_base_url(url)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("ACTIVITIES_API_KEY", "geheim\r\nx: y", "holds a control character"),
        ("ACTIVITIES_USERNAME", "geheim:v", "must not contain a colon"),
    ],
)
def test_credentials_that_no_header_can_carry_are_refused(
    name: str, text: str, reason: str
) -> None:
    with pytest.raises(SettingsInvalid, match=f"{name} {reason}") as caught:
        load_settings({name: text})
    assert "geheim" not in str(caught.value)


def test_init_writes_a_folder_of_ones_own_and_never_over_a_file(tmp_path: Path) -> None:
    folder = Project(tmp_path)
    (tmp_path / "workspace.yaml").write_text("mine", encoding="utf-8")
    for verb in ("wrote", "kept"):
        done = folder.run("init", DAGSTER_HOME=None)
        assert (done.code, done.err) == (0, ""), done
        assert f"{verb} .env\n{verb} dagster.yaml\nkept workspace.yaml\n" in done.out
    env = tmp_path / ".env"
    assert env.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "workspace.yaml").read_text(encoding="utf-8") == "mine"
    text = env.read_text(encoding="utf-8")
    for name, default in describe():
        assert f"\n{name}=\n" in text if default is None else f"\n#{name}={default}\n" in text
    # As it is, it sets nothing; what is required is asked for by name.
    done = folder.run("sync", DAGSTER_HOME=None)
    assert done.code == 2
    assert all(name in done.err for name, default in describe() if default is None)


def test_a_checkout_that_one_may_not_write_to_is_no_home(tmp_path: Path) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "dagster.yaml").write_text("{}", encoding="utf-8")
    folder.chmod(0o500)
    code = "from pipeline.commands import home; home.__file__ = '/a/b/c'; print(home.home())"
    # Without these rights the superuser, too, may not write there.
    rights = (
        ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    )
    environment = Project(tmp_path).environment(DAGSTER_HOME=None)
    with Command([*rights, sys.executable, "-c", code], folder, environment) as command:
        done = command.end()
    state = tmp_path / ".local" / "state" / "activity-warehouse"
    assert (done.code, done.out) == (0, f"{state}\n"), done
    assert done.err == f"Dagster's history and the demo's PostgreSQL go to {state}\n"
