"""`pipeline doctor`: what it finds, and what it never shows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.acceptance.conftest import SECRETS, impatient
from tests.support.reading import rows
from tests.support.receiver import SECRET, receiver
from tests.support.relay import Relay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject
    from tests.support.commands import Project
    from tests.support.receiver import Receiver


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


def found(made: Project, **changes: str | None) -> dict[str, tuple[str, str]]:
    """Return result and text of each check, by its name."""
    told = json.loads(made.run("doctor", "--json", **changes).out)
    return {each["what"]: (each["result"], each["found"]) for each in told}


def test_it_tries_everything_and_leaves_no_trace(made: Project, migrated_url: str) -> None:
    done = made.run("doctor")
    assert done.code == 0, done
    assert "FAIL" not in done.out
    ill = made.run(
        "doctor", ACTIVITIES_PASSWORD="not-this", WAREHOUSE_URL="postgresql://127.0.0.1:9/x"
    )
    assert ill.code == 1, ill
    assert ill.out.count("FAIL") == 2
    for words in ("401", "is the server running"):
        assert words in ill.out
    unset = made.run("doctor", ACTIVITIES_PASSWORD=None)
    assert unset.code == 2, unset
    assert "not set: ACTIVITIES_PASSWORD" in unset.out
    assert rows(migrated_url, "select from sync.runs") == []
    for output in (done, ill, unset):
        assert SECRETS.password not in output.out + output.err
        assert SECRETS.api_key not in output.out + output.err


def test_it_says_by_how_much_the_clocks_differ(service: Running, made: Project) -> None:
    def seconds(side: str) -> int:
        clocks = found(made)["clocks"][1]
        told = re.fullmatch(rf"the service's clock is (\d+) s {side} this machine's", clocks)
        assert told, clocks
        return int(told[1])

    behind = seconds("behind")
    ahead_s = 40_000 * 86_400
    service.state.change_behaviour(date_skew_ms=ahead_s * 1000)
    assert abs(behind + seconds("ahead of") - ahead_s) < 3600


def test_it_warns_of_what_others_could_read(
    service: Running, project: MakeProject, migrated_url: str
) -> None:
    made = project(service)
    (made.folder / ".env").write_text("", encoding="utf-8")
    for mode, warned in ((0o644, {".env"}), (0o600, set())):
        (made.folder / ".env").chmod(mode)
        result = found(made)
        assert {what for what, (result, _) in result.items() if result == "warn"} == warned
        assert not {"service, address", "warehouse, connection"} & result.keys()
    with Relay(migrated_url) as relay:
        far = relay.url.replace("127.0.0.1", "db.example.com") + "&hostaddr=127.0.0.1"
        result = found(made, WAREHOUSE_URL=far, ACTIVITIES_BASE_URL="http://service.invalid")
    assert result["service, address"][0] == result["warehouse, connection"][0] == "warn"


def test_it_tells_of_addresses_of_alerts_without_showing_them(
    made: Project, inbox: Receiver
) -> None:
    mail = f"mailto://me:{SECRET}@example.com?to=a@example.com,b@example.com"
    tried = made.run("doctor", "--test-alert", ACTIVITIES_ALERT_URLS=inbox.url)
    assert tried.code == 0, tried
    assert len(inbox.taken) == 1
    done = made.run("doctor", ACTIVITIES_ALERT_URLS=f"{inbox.url}, {mail}")
    assert "mailto; `pipeline doctor --test-alert`" in done.out
    assert len(inbox.taken) == 1
    inbox.status = 404
    refused = made.run("doctor", "--test-alert", ACTIVITIES_ALERT_URLS=inbox.url)
    assert refused.code == 1, refused
    assert "json, took no message" in refused.out
    addresses = f"{inbox.url},{SECRET}://x"
    wrong = made.run("doctor", ACTIVITIES_ALERT_URLS=addresses, ACTIVITIES_UI_URL="here")
    assert wrong.code == 2, wrong
    assert "number 2 of 2 is not an address that apprise knows" in wrong.out
    assert "ACTIVITIES_UI_URL needs a scheme" in wrong.out
    for output in (done, tried, refused, wrong):
        assert SECRET not in output.out + output.err


def test_it_tries_to_write(made: Project, database_url: str) -> None:
    refusals = {
        "default_transaction_read_only=on": "read-only",
        "role=pg_monitor": "grant create",
        "session_replication_role=replica": "turns triggers off",
    }
    for option, cause in refusals.items():
        url = f"{database_url}{'&' if '?' in database_url else '?'}options=-c%20{option}"
        made.settings["WAREHOUSE_URL"] = url
        assert cause in impatient(made, "doctor").out


def test_sessions_see_another_zone_until_somebody_asks(made: Project, migrated_url: str) -> None:
    made.settings["ACTIVITIES_TIMEZONE"] = "America/Lima"

    def seen() -> Any:
        with psycopg.connect(migrated_url) as session:
            return session.execute("show timezone").fetchone()

    assert "`alter database test_" in found(made)["time zone, sessions"][1]
    assert made.run("migrate").code == 0
    assert seen() != ("America/Lima",)
    assert "set timezone to 'America/Lima'" in made.run("migrate", "--zone").out
    assert seen() == ("America/Lima",)
    assert "time zone, sessions" not in found(made)
