"""What was erased, and keeping it out of later loads, whichever run they belong to.

Implements docs/design.md "Erase". A load takes `share`, locks its ledger rows and only then looks up
what was erased; an erase takes `exclude`. So a batch fetched before an erasure is either committed
before it, and erased, or sees it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from pipeline.warehouse.answers.redaction import (
    VALUES,
    Kinds,
    Observed,
    kept_payload,
    redact,
    redact_entity,
)
from pipeline.warehouse.database.engine import Session, execute, in_transaction
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.schema.sensitivity import SENSITIVE
from pipeline.warehouse.state.rows import DetailsObservation, EntityObservation, Outcome

REASONS: Mapping[str, Kinds] = {
    "expired": VALUES,
    "unregistered": VALUES,
    "request": VALUES,
    "messages": VALUES | {"message"},
    "retention": SENSITIVE,
}
"""Why something of an activity was erased, ``sync.erasures.reason``, and what that covers."""

WHOLE = frozenset({"request", "messages", "retention"})
"""The reasons for which also the decisions go that are only kept."""

#: Key of the advisory lock between loads and erasures.
_LOCK = 0x65726173


def set_policy(engine: sa.Engine, policy: str) -> None:
    """Record what happens to values that expired: ``hide``, ``erase`` or ``keep`` them."""
    execute(engine, statement("erase/policy"), {"policy": policy})


def read_policy(engine: sa.Engine) -> str:
    """Return what happens to values that expired."""
    return in_transaction(engine, lambda session: look_up(session, (), ()).policy)


def share(session: Session) -> None:
    """Let other loads in, but no erasure, until the transaction ends."""
    session.execute("select pg_advisory_xact_lock_shared(%s)", (_LOCK,))


def exclude(session: Session) -> None:
    """Wait until no load is running, and keep loads out until the transaction ends."""
    session.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))


@dataclass(frozen=True)
class Erased:
    """What must be kept out of a batch."""

    policy: str
    activities: Mapping[str, Kinds]
    """What must be kept out of each activity."""
    entities: Mapping[str, str]
    """The reason of `REASONS` for the activities of each counterpart."""

    def reason(self, outcome: Outcome, known: Kinds) -> str | None:
        """Return why more than ``known``, what was erased before, must be kept out of an activity."""
        entities = entities_of([outcome])
        reasons = [self.entities[each.id] for each in entities if each.id in self.entities]
        if self.policy == "erase" and outcome.details is not None:
            if any(entity.said["unregistered"] for entity in entities):
                reasons.append("unregistered")
            elif is_over(outcome.details):
                reasons.append("expired")
        return next((each for each in reasons if not REASONS[each] <= known), None)


def entities_of(outcomes: Sequence[Outcome]) -> list[EntityObservation]:
    """Return the counterparts that outcomes carry, those of the details after those of the list."""
    carriers = [each for outcome in outcomes for each in (outcome.listed, outcome.details)]
    return [each.entity for each in carriers if each and each.entity]


def is_over(details: DetailsObservation) -> bool:
    """Return whether the details say that the sharing period is over."""
    said = details.said
    expires_at = said["expires_at"]
    over = isinstance(expires_at, datetime) and expires_at <= details.service_time
    return over or said["status"] == "EXPIRED"


def look_up(
    session: Session, activities: Collection[str], entities: Collection[str] | None
) -> Erased:
    """Return which of these were erased, and the policy; ``entities`` None: every one ever erased."""
    asked = id_array(entities) if entities is not None else None
    given = {"activities": id_array(activities), "entities": asked}
    ((policy, erased, reasons),) = session.execute(statement("erase/known"), given)
    nothing: Kinds = frozenset()
    kinds = {name: nothing.union(*map(REASONS.__getitem__, each)) for name, each in erased.items()}
    return Erased(policy, kinds, reasons)


def keep_out(session: Session, outcomes: Sequence[Outcome]) -> tuple[list[Outcome], dict[str, str]]:
    """Return a batch without what was erased, and the activities to erase now, with reasons.

    Only values are taken out; everything else in the observations stays, also their digests.
    """
    # A payload that cannot be read may name any counterpart: then all erased ones are looked up.
    any_payload = any(failure.payload for each in outcomes for failure in each.failures)
    entities = None if any_payload else {entity.id for entity in entities_of(outcomes)}
    erased = look_up(session, [outcome.subject for outcome in outcomes], entities)
    news: dict[str, str] = {}
    kept = []
    for outcome in outcomes:
        known = erased.activities.get(outcome.subject, frozenset())
        reason = erased.reason(outcome, known)
        if reason is not None:
            news[outcome.subject] = reason
            known |= REASONS[reason]
        kept.append(_kept(outcome, erased, known))
    return kept, news


def _kept(outcome: Outcome, erased: Erased, kinds: Kinds) -> Outcome:
    if not (kinds or erased.entities or outcome.failures):
        return outcome  # nearly always
    failures = [
        replace(each, payload=kept_payload(each.payload, erased.entities, kinds))
        if each.payload is not None
        else each
        for each in outcome.failures
    ]
    listed = _without(outcome.listed, erased, kinds)
    details = _without(outcome.details, erased, kinds)
    return replace(outcome, listed=listed, details=details, failures=failures)


def _without(observed: Observed | None, erased: Erased, kinds: Kinds) -> Observed | None:
    """Return a response without these kinds, and without an erased counterpart's profile."""
    if observed and observed.entity and observed.entity.id in erased.entities:
        kinds |= {"personal"}
    return redact(observed, kinds) if observed and kinds else observed


def redact_entities(
    session: Session, entities: Sequence[EntityObservation]
) -> list[EntityObservation]:
    """Return counterparts read from landing, without the personal fields of erased ones."""
    erased = look_up(session, (), [each.id for each in entities]).entities
    return [redact_entity(each) if each.id in erased else each for each in entities]
