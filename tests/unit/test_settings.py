"""The settings: what `pipeline init` and docs/operations.md say of them is what the code reads."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import pipeline
from pipeline.settings import (
    SettingsInvalid,
    describe,
    load_settings,
    load_warehouse_url,
    parse_base_url,
)
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
        ("ftp://x", "scheme"),
        ("http://", "host"),
        ("http://u:geheim@h", "credentials"),
        ("http://h?geheim=1", "query"),
        ("http://h:99999", "not a URL"),
        ("http://geheim\0", "not a URL"),
        ("https://h/business/v1", "before the path /business/v1"),
        ("https://h:8443/geheim/business/v1/", "before the path /business/v1"),
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


COMPLETE = {
    "ACTIVITIES_BASE_URL": "https://h/prefix",
    "ACTIVITIES_API_KEY": "k",
    "ACTIVITIES_USERNAME": "u",
    "ACTIVITIES_PASSWORD": "p",
    "ACTIVITIES_START_DATE": "2026-01-01",
    "WAREHOUSE_URL": "postgresql://u@h/d",
}


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("ACTIVITIES_REQUEST_PER_SECOND", "ACTIVITIES_REQUESTS_PER_SECOND"),
        ("ACTIVITIES_ALERT_URL", "ACTIVITIES_ALERT_URLS"),
        ("WAREHOUSE_DATABASE_URL", "WAREHOUSE_URL"),
        ("activities_page_size", "ACTIVITIES_PAGE_SIZE"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_right_one(
    monkeypatch: pytest.MonkeyPatch, name: str, nearest: str
) -> None:
    with pytest.raises(SettingsInvalid, match=f"{name} is not a setting, .*{nearest}") as caught:
        load_settings(COMPLETE | {name: "geheim"})
    assert "geheim" not in str(caught.value)
    monkeypatch.setenv(name, "geheim")
    monkeypatch.setenv("WAREHOUSE_URL", COMPLETE["WAREHOUSE_URL"])
    with pytest.raises(SettingsInvalid, match=name):
        load_warehouse_url()


def test_names_of_others_are_no_settings_of_ours() -> None:
    others = ("PATH", "DAGSTER_HOME", "MY_ACTIVITIES_URL", "WAREHOUSES")
    kubernetes = {
        "WAREHOUSE_SERVICE_HOST": "10.0.0.1",
        "WAREHOUSE_SERVICE_PORT": "5432",
        "WAREHOUSE_SERVICE_PORT_SQL": "5432",
        "WAREHOUSE_PORT": "tcp://10.0.0.1:5432",
        "WAREHOUSE_PORT_5432_TCP": "tcp://10.0.0.1:5432",
        "WAREHOUSE_PORT_5432_TCP_ADDR": "10.0.0.1",
    }
    load_settings(COMPLETE | kubernetes | dict.fromkeys(others, "x"))
    with pytest.raises(SettingsInvalid, match="WAREHOUSE_PORT is not a setting"):
        load_settings(COMPLETE | {"WAREHOUSE_PORT": "5432"})


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_a_start_date_in_the_future_is_refused(zone: str) -> None:
    today = datetime.now(ZoneInfo(zone)).date()
    settings = COMPLETE | {"ACTIVITIES_TIMEZONE": zone}
    load_settings(settings | {"ACTIVITIES_START_DATE": str(today)})
    tomorrow = str(today + timedelta(days=1))
    with pytest.raises(SettingsInvalid, match=f"{tomorrow} is in the future; today is {today}"):
        load_settings(settings | {"ACTIVITIES_START_DATE": tomorrow})


def test_init_writes_a_folder_of_ones_own_and_never_over_a_file(tmp_path: Path) -> None:
    folder = Project(tmp_path)
    (tmp_path / "workspace.yaml").write_text("mine", encoding="utf-8")
    for told in (
        [".env written; only you can read it", "dagster.yaml written"],
        [".env stays as it is", "dagster.yaml stays as it is"],
    ):
        done = folder.run("init", DAGSTER_HOME=None)
        assert (done.code, done.err) == (0, ""), done
        assert done.out.splitlines()[:3] == [*told, "workspace.yaml stays as it is"]
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
    code = "from pipeline import environment; environment.__file__ = '/a/b'\n"
    code += "from pipeline.commands.home import home; print(home())"
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
