"""The OpenAPI document of the sandbox, and schemathesis against a live one."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis import engine as schemathesis_engine
from schemathesis.engine import events as found
from schemathesis.hooks import GLOBAL_HOOK_DISPATCHER

from pipeline.sandbox import Behaviour, SandboxSettings, SandboxState
from tests.sandbox.openapi import document
from tests.support.forms import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.sandbox import Running

    Serve = Callable[..., Running]

OPERATIONS = {
    "POST /business/v1/auth",
    "GET /business/v1/activities",
    "POST /business/v1/activities/authorizations",
    "GET /business/v1/activities/{activity}",
}
NOW = dt.datetime.fromtimestamp(1_775_000_000, dt.UTC)
ODD = Behaviour(
    max_limit=40,
    form=Form(unset="absent", offsets=True, extra=True, no_entity=0.3, no_arrays=True),
    unknown_id_status=403,
)


@pytest.fixture
def dates_in_order() -> Iterator[None]:
    """Let schemathesis keep the one rule between fields, which no schema can state.

    `from` must not be after `to`, which is the current time where it isn't given.
    """

    def before_call(context: Any, case: Any, kwargs: Any) -> None:  # noqa: ARG001
        query = case.query or {}
        try:
            start = dt.date.fromisoformat(query["from"])
            end = dt.date.fromisoformat(query.get("to", "2026-03-31"))
        except (KeyError, TypeError, ValueError):
            return
        if start > end:
            case.query = {**query, "from": str(end), "to": str(start)}

    schemathesis.hook(before_call)
    yield
    GLOBAL_HOOK_DISPATCHER.unregister(before_call)


def schema_of(running: Running) -> Any:
    """Load the live document, with credentials for every operation."""
    wanted = running.credentials
    given_ = httpx.post(
        f"{running.base_url}/business/v1/auth",
        auth=(wanted.username, wanted.password),
        headers={"x-api-key": wanted.api_key},
    )
    access = {
        "basic": {"username": wanted.username, "password": wanted.password},
        "bearer": {"bearer": given_.json()["token"]},
        "key": {"api_key": wanted.api_key},
    }
    config = schemathesis.Config.from_dict(
        {
            "seed": 1,
            "base-url": running.base_url,
            "auth": {"openapi": access},
            "generation": {"max-examples": 15, "database": "none"},
            # Otherwise later runs would try first what earlier ones found, and differ.
            "cache": {"enabled": False},
        }
    )
    return schemathesis.openapi.from_dict(document(running.base_url), config=config)


@pytest.mark.usefixtures("dates_in_order")
@pytest.mark.parametrize("behaviour", [Behaviour(token_seconds=86_400), ODD], ids=["plain", "odd"])
def test_schemathesis_finds_no_fault_in_any_phase(behaviour: Behaviour, serve: Serve) -> None:
    running = serve(behaviour=behaviour)

    events = list(schemathesis_engine.from_schema(schema_of(running)).execute())

    problems, tried, phases = [], set(), set()
    for event in events:
        if isinstance(event, found.NonFatalError):
            problems.append(repr(event.value))
        if isinstance(event, found.FatalError):
            problems.append(repr(event.exception))
        if isinstance(event, found.ScenarioFinished):
            checks = [check for nodes in event.recorder.checks.values() for check in nodes]
            for check in checks:
                tried.add(check.name)
                if check.failure_info is not None:
                    failure = check.failure_info
                    problems.append(f"{event.label}: {failure.failure}\n{failure.code_sample}")
            if event.status == schemathesis_engine.Status.SUCCESS:
                phases.add((event.phase.value, event.label))
    assert not problems, "\n\n".join(problems)
    assert {"response_schema_conformance", "negative_data_rejection", "ignored_auth"} <= tried
    for phase in ("coverage", "fuzzing"):
        assert {label for name, label in phases if name == phase} == OPERATIONS
    answers = running.state.counters().by_status
    assert answers["create"]["201"] > 5
    assert not any("500" in statuses for statuses in answers.values())


FORMS = st.builds(
    Form,
    unset=st.sampled_from(["null", "absent", "zero", "mixed"]),
    offsets=st.booleans(),
    extra=st.booleans(),
    no_entity=st.sampled_from([0.0, 0.4]),
    no_arrays=st.booleans(),
)
BEHAVIOURS = st.builds(Behaviour, completed_expires=st.booleans(), form=st.none() | FORMS)


@settings(max_examples=30)
@given(behaviour=BEHAVIOURS, seed=st.integers(0, 999))
def test_all_it_states_fits_the_document(behaviour: Behaviour, seed: int) -> None:
    chosen = SandboxSettings(activities=60, seed=seed, behaviour=behaviour, now=NOW, frozen=True)
    whole = document("http://here")
    row, details = (
        jsonschema_rs.validator_for(whole | {"$ref": f"#/components/schemas/{name}"})
        for name in ("ActivityRow", "ActivityDetails")
    )
    for truth in SandboxState(chosen).truth():
        row.validate(truth.row_fields())
        details.validate(truth.details_fields())
