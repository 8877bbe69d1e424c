"""Asks people of a sandbox for data; reads the stored requests and the activities they created."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
from psycopg.types.json import Jsonb

from pipeline.authorizations.context import Rules
from pipeline.authorizations.run import AuthorizationRun, Summary
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.requests.authorizations import (
    REPEAT_DAYS,
    UNCONFIRMED,
    find,
    resolve_request,
)
from pipeline.warehouse.state.service_facts import forget, learn
from tests.support.mirroring import TODAY, created_on, sandbox
from tests.support.retrying import immediate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.authorizations.listing import Look
    from pipeline.sandbox import Running

#: Requirements as a request carries them.
WANTED = [
    {"code": "RQ_002", "items": [{"code": "IDT_001"}, {"code": "IDT_002"}]},
    {"code": "RQ_005"},
]

#: As fast as it goes; everything else as it is by default.
FAST = Rules(per_second=100_000.0, per_day=100_000, page_size=100, wait=timedelta(0), repeat_days=0)


@contextmanager
def people_service(**settings: Any) -> Iterator[Running]:
    """Serve a sandbox with a few activities whose clock runs on from a noon long past."""
    with sandbox(settings.pop("activities", 5), **({"frozen": False} | settings)) as running:
        yield running


@dataclass
class Asking:
    """The requests of a warehouse and the service they go to. Every run logs in by itself.

    ``read_timeout``: seconds after which a call is given up; short where calls hang on purpose.
    ``lines``: what the runs said about their progress. ``others``: activities that others created.
    """

    url: str
    service: Running
    rules: Rules = FAST
    zone: str = "UTC"
    read_timeout: float = 30.0
    lines: list[str] = field(default_factory=list)
    others: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.refuse_repeats(self.rules.repeat_days)

    def refuse_repeats(self, days: int) -> None:
        """Let the database refuse who was asked within so many days; 0: nobody."""
        with warehouse_engine(self.url) as engine:
            learn(engine, REPEAT_DAYS, str(days))

    def queue(
        self, description: str = "Please share", number: str = "999888777", **columns: Any
    ) -> str:
        """Insert a request by plain SQL; return its id."""
        given = {
            "description": description,
            "phone_country_code": "PE",
            "phone_number": number,
            "requirements": json.dumps(columns.pop("requirements", WANTED)),
            **columns,
        }
        names, places = ", ".join(given), ", ".join(f"%({name})s" for name in given)
        statement = f"insert into warehouse.authorization_requests ({names}) values ({places})"
        with self.session() as session:
            row = session.execute(f"{statement} returning id::text".encode(), given).fetchone()
        assert row is not None
        return str(row[0])

    def send(self, **rules: Any) -> Summary:
        """Make one run, with some rules otherwise; nothing is waited for."""
        return asyncio.run(self._run(rules).send())

    def settle(self) -> Summary:
        """Look for what is open, without sending."""
        return asyncio.run(self._run({}).send(only=[]))

    def look(self) -> tuple[int, Look]:
        """Link what was sent since the last call that is known."""
        return asyncio.run(self._run({}).look())

    def confirm(self) -> None:
        """Confirm a restore, as a person does."""
        assert self.look()[1].failed is None
        with warehouse_engine(self.url) as engine:
            forget(engine, UNCONFIRMED)

    def restore(self, backup: list[dict[str, Any]]) -> None:
        """Put the rows of a backup back."""
        with self.session() as session:
            session.execute("set local session_replication_role = replica")  # no guard of requests
            session.execute("truncate warehouse.authorization_requests")
            session.execute(
                "insert into warehouse.authorization_requests select * from"
                " jsonb_populate_recordset(null::warehouse.authorization_requests, %s)",
                (Jsonb(backup),),
            )
            session.execute(statement("authorizations/hold_restored").encode())

    def decide(self, state: str) -> None:
        """Take all unclear calls to a state, as a person does who knows what became of them."""
        with warehouse_engine(self.url) as engine:
            for row in find(engine, "states", states=["unknown"]):
                resolve_request(engine, row, state)

    def _run(self, rules: dict[str, Any]) -> AuthorizationRun:
        given = self.service.credentials
        config = ServiceConfig(
            self.service.base_url,
            Credentials(given.api_key, given.username, given.password),
            timezone=self.zone,
            retry=immediate(),
            read_timeout=self.read_timeout,
        )
        chosen = replace(self.rules, **rules)
        return AuthorizationRun(config, self.url, chosen, self.lines.append)

    def pass_time(self, **period: float) -> None:
        """Move the service's clock, when all calls until now have had their effect."""
        self.service.catch_up()
        self.service.state.set_clock(advance_ms=round(timedelta(**period).total_seconds() * 1000))

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """Open a session on the warehouse, for one transaction."""
        with psycopg.connect(self.url) as session:
            yield session

    def row(self, request_id: str) -> dict[str, Any]:
        """Return a request's columns."""
        return next(row for row in self.rows() if row["id"] == request_id)

    def rows(self) -> list[dict[str, Any]]:
        """Return all requests, in the order in which they were queued."""
        with self.session() as session:
            found = session.execute(
                "select to_jsonb(request) from warehouse.authorization_requests as request"
                " order by requested_at, id"
            ).fetchall()
        return [row for (row,) in found]

    def states(self) -> dict[str, int]:
        """Return how many requests are in each state, those without any left out."""
        return dict(Counter(row["state"] for row in self.rows()))

    def created(self) -> list[dict[str, Any]]:
        """Return the details of what was created after the sandbox began, oldest first."""
        truths = self.service.state.truth()
        found = [truth.details_fields() for truth in truths if created_on(truth) >= TODAY]
        return [details for details in found if details is not None]

    def receiver_of(self, activity: dict[str, Any]) -> str:
        """Return the phone number of the person whom an activity is addressed to."""
        return self._phones()[activity["entity"]["id"]]

    def _phones(self) -> dict[str, str]:
        """Return everybody's phone number by the id of the counterpart."""
        people = self.service.state.people()
        return {person["id"]: person["phone_number"] for person in people}

    def ask_by_hand(self, number: str, description: str = "Please share") -> None:
        """Create an authorization as another program of the business would."""
        before = {activity["id"] for activity in self.created()}
        service, given = self.service.base_url + "/business/v1", self.service.credentials
        key = {"x-api-key": given.api_key}
        token = httpx.post(f"{service}/auth", headers=key, auth=(given.username, given.password))
        body = {
            "description": description,
            "phone": {"phone_country_code": "PE", "phone_number": number},
            "requirements": WANTED,
        }
        bearer = key | {"Authorization": f"Bearer {token.json()['token']}"}
        made = httpx.post(f"{service}/activities/authorizations", headers=bearer, json=body)
        assert made.is_success
        self.others |= {activity["id"] for activity in self.created()} - before

    def mistakes(self) -> list[str]:
        """Return what must never be, counted per request by the activities that we made.

        Two for one request, one for a request that is held to have none, and a link to anything else.
        """
        created = {
            activity["id"]: activity
            for activity in self.created()
            if activity["id"] not in self.others
        }
        phones, rows = self._phones(), self.rows()
        wrong = []
        for row in rows:
            activity = created.get(row["activity_id"])
            if row["state"] != "linked":
                continue
            if activity is None:
                wrong.append(f"{row['id']} is linked to what we never created")
            elif without_reference(activity["description"]) != without_reference(
                row["description"]
            ):
                wrong.append(f"{row['id']} is linked to another message")
            elif phones[activity["entity"]["id"]] != row["phone_number"].removeprefix("+51"):
                wrong.append(f"{row['id']} is linked to another person's activity")
        asked = Counter(
            (row["phone_number"].removeprefix("+51"), without_reference(row["description"]))
            for row in rows
            if row["state"] not in ("queued", "rejected", "failed")
        )
        made = Counter(
            (
                phones[activity["entity"]["id"]],
                without_reference(activity["description"]),
            )
            for activity in created.values()
        )
        wrong += [
            f"{made[key]} for {asked[key]} requests" for key in made if made[key] > asked[key]
        ]
        return wrong


def without_reference(message: str) -> str:
    """Return a message without the reference at its end or its beginning, and without double spaces."""
    return " ".join(re.sub(r"\(Ref\. .*|^\[\w{5}\] ", "", message).split())
