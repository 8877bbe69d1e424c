"""What the views of analytics must say, counted again in plain Python from the stored responses.

Reads landing's bodies with `json`, and of the tables only what no body says: our own times (gone, erased,
received), observations of scores, and the authorization requests. Shares nothing with the views or the
mapping: the statuses, and who gives in which type, are written down here once more.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date
    from zoneinfo import ZoneInfo

    import psycopg

Row = dict[str, Any]
#: Code of a requirement and which of it, of an item likewise, and how it was decided.
Subject = tuple[Any, ...]

PENDING = {"SENT", "ACTION_REQUIRED"}
ACCEPTED = {"ACCEPTED", "COMPLETED", "EXPIRED"}
FINAL = {"COMPLETED", "DECLINED", "CANCELED", "EXPIRED"}
SHARING = {"ACCEPTED", "COMPLETED"}
KNOWN = PENDING | ACCEPTED | FINAL
#: Who answers.
BY = {"IN": "us", "OUT": "them"}
ASKING, SHARING_TYPES, SWAPS = {"AT_001", "AT_004"}, {"AT_002"}, {"AT_003"}

_BODIES = """
select activity.id::text, details.body, listed.body, activity.gone_at, activity.first_seen_at,
    activity.details_fetched_at, activity.values_erased_at, ledger.withheld_at is not null,
    coalesce(forgotten.whole, false), versions.bodies
from warehouse.activities as activity
inner join sync.activity_ledger as ledger on ledger.activity_id = activity.id
left join lateral (
    select true as whole from sync.erasures as log
    where log.activity_id = activity.id and log.reason <> 'expired' and log.reason <> 'unregistered' limit 1
) as forgotten on true
left join lateral (
    select array_agg((first_seen_at, convert_from(body, 'UTF8')) order by first_seen_at) as bodies
    from landing.activity_details as version
    where version.activity_id = activity.id
) as versions on true
left join lateral (
    select body from landing.activity_details as version
    where version.activity_id = activity.id order by first_seen_at desc limit 1
) as details on true
left join lateral (
    -- Of what is in quarantine since its details were withheld, the row of then.
    select body from landing.activity_list_rows as version
    where version.activity_id = activity.id
    order by (
        details.body is not null and version.first_seen_at > ledger.withheld_at
        and exists (
            select from sync.quarantine as kept
            where kept.activity_id = activity.id::text and kept.resolved_at is null
        )
    ) is true, first_seen_at desc limit 1
) as listed on true
"""


@dataclass
class Given:
    """One requirement, or one item, as its three arrays have it: position and what stands there.

    ``which``: the so-manyth of its code. ``kept``: decisions that only earlier answers showed.
    ``number``: its place among its like.
    """

    code: str | None
    which: int
    requested: tuple[int, Row] | None = None
    accepted: tuple[int, Row] | None = None
    declined: tuple[int, Row] | None = None
    kept: dict[str, Row] = field(default_factory=dict)
    number: int = 0

    def first(self) -> tuple[str, int]:
        """Return in which array it is listed first, and where."""
        for name in ("requested", "accepted", "declined"):
            found = getattr(self, name)
            if found is not None:
                return name, found[0]
        return "kept", self.number

    def order(self) -> tuple[Any, ...]:
        """Return what the numbers follow."""
        if all(side is None for side in (self.requested, self.accepted, self.declined)):
            return 3, self.code is None, self.code, self.which
        name, position = self.first()
        return ("requested", "accepted", "declined").index(name), position

    def decided(self, how: str) -> bool:
        """Return whether it was accepted, or declined, and nothing has overruled that."""
        return getattr(self, how) is not None or how in self.kept

    def asked(self) -> bool:
        """Return whether it was requested."""
        return self.requested is not None or any(each["asked"] for each in self.kept.values())

    def given(self) -> Row:
        """Return what was accepted of it, without a value where the service shows it no longer."""
        return self.accepted[1] if self.accepted else self.kept["accepted"]


class Activity:
    """One activity by its newest response, and what only we know of it."""

    def __init__(
        self,
        name: str,
        said: Row,
        gone: datetime | None,
        first_seen: datetime,
        fetched: datetime | None,
        erased: datetime | None,
        zone: ZoneInfo,
        kept: dict[Subject, Row],
    ) -> None:
        self.id, self.body, self.zone = name, said, zone
        self.gone, self.first_seen, self.fetched, self.erased = gone, first_seen, fetched, erased
        self.type, self.bound, self.status = said["type"], said["in_out_bound"], said["status"]
        self.entity = said["entity"]["id"].lower() if said.get("entity") else None
        created = instant(said["created_at"])
        assert created is not None
        self.created = created
        self.attended = instant(said.get("attended_at"))
        self.completed = instant(said.get("completed_at"))
        self.expires = instant(said.get("expires_at"))
        self.updated = instant(said.get("updated_at"))
        self.valid_until = instant(said.get("valid_until"))
        self.timeline = [
            (each["status"], datetime.fromisoformat(each["date_time"]))
            for each in said.get("timeline") or ()
        ]
        self.requirements = matched(
            said.get("requirements"),
            said.get("accepted_requirements"),
            said.get("declined_requirements"),
            kept={key: row for key, row in kept.items() if len(key) == 3},
        )
        self.kept = kept

    def items_of(self, requirement: Given) -> list[Given]:
        """Put together what the three arrays say of a requirement's items."""
        sides = (requirement.requested, requirement.accepted, requirement.declined)
        owner = (requirement.code, requirement.which)
        return matched(
            *[side[1].get("items") if side else None for side in sides],
            kept={
                key[2:]: row for key, row in self.kept.items() if len(key) == 5 and key[:2] == owner
            },
        )

    @property
    def day(self) -> date:
        """Day of creation where days are cut."""
        return self.created.astimezone(self.zone).date()

    @property
    def month(self) -> date:
        """First day of its month."""
        return self.day.replace(day=1)

    @property
    def stage(self) -> str | None:
        """How far it came."""
        past = {status for status, _ in self.timeline}
        if self.status in PENDING:
            return None if self.gone else "pending"
        if self.status in ACCEPTED:
            return "accepted"
        if self.status == "DECLINED":
            return "declined"
        if self.status != "CANCELED":
            return None
        if past & ACCEPTED or self.shows_acceptance:
            return "accepted"
        return "declined" if self.attended or "DECLINED" in past else "canceled"

    @property
    def shows_acceptance(self) -> bool:
        """Whether any answer has shown that something was accepted, and none has overruled it."""
        kept = any(how == "accepted" for *_, how in self.kept)
        return kept or bool(self.body.get("accepted_requirements"))

    @property
    def outcome(self) -> str | None:
        """How it was answered. What nobody answered, and needs no answer, is a share."""
        needs_answer = self.attended or self.type in ASKING | SWAPS
        return "share" if self.stage == "accepted" and not needs_answer else self.stage

    @property
    def answered_by(self) -> str | None:
        """Who answered."""
        answered = self.attended or self.outcome in ("accepted", "declined")
        return BY.get(self.bound) if answered else None

    @property
    def direction(self) -> str | None:
        """Who gives."""
        if self.type in SWAPS:
            return "both ways"
        if self.bound not in ("IN", "OUT") or self.type not in ASKING | SHARING_TYPES:
            return None
        return "to us" if (self.type in ASKING) == (self.bound == "OUT") else "from us"

    @property
    def shared_from(self) -> datetime | None:
        """Since when what was accepted can be read; None: only lists showed it."""
        return (self.attended or self.created) if self.fetched else None

    @property
    def ended(self) -> datetime | None:
        """When a status ended the sharing."""
        if self.status in SHARING or self.status not in KNOWN:
            return None
        entered = [moment for status, moment in self.timeline if status == self.status]
        if entered:
            return max(entered)
        return self.expired or self.updated or self.fetched or self.first_seen

    @property
    def expired(self) -> datetime | None:
        """When the sharing period was over, if the status says that it is."""
        return self.expires if self.status == "EXPIRED" else None


def instant(millis: Any) -> datetime | None:
    """Read epoch milliseconds; nothing and 0 are None."""
    if not millis:
        return None
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)


def matched(*arrays: Iterable[Row] | None, kept: dict[Any, Row]) -> list[Given]:
    """Put together what the three arrays say of the same code; the first belongs to the first."""
    found: dict[tuple[Any, int], Given] = {}
    for (code, which, how), row in kept.items():
        found.setdefault((code, which), Given(code, which)).kept[how] = row
    for name, array in zip(("requested", "accepted", "declined"), arrays, strict=True):
        seen: Counter[Any] = Counter()
        for position, element in enumerate(array or ()):
            code = element.get("code")
            given = found.setdefault((code, seen[code]), Given(code, seen[code]))
            setattr(given, name, (position, element))
            seen[code] += 1
    ordered = sorted(found.values(), key=Given.order)
    for number, given in enumerate(ordered):
        given.number = number
    return ordered


def shown_in(said: Row) -> dict[Subject, Row]:
    """Return the decisions of one answer: by code and which of it, the item's likewise, and how."""
    shown: dict[Subject, Row] = {}
    arrays = [said.get(f"{how}requirements") for how in ("", "accepted_", "declined_")]
    for requirement in matched(*arrays, kept={}):
        owner = (requirement.code, requirement.which)
        sides = (requirement.requested, requirement.accepted, requirement.declined)
        items = matched(*[side[1].get("items") if side else None for side in sides], kept={})
        for given, key in [(requirement, owner)] + [(x, (*owner, x.code, x.which)) for x in items]:
            for how in ("accepted", "declined"):
                if (side := getattr(given, how)) is not None:
                    told = {name: side[1].get(name) for name in ("type", "category")}
                    shown[*key, how] = told | {"asked": given.requested is not None}
    return shown


def kept_of(versions: Iterable[tuple[datetime, Row]]) -> dict[Subject, Row]:
    """Return the decisions that earlier answers showed, and nothing has overruled."""
    kept: dict[Subject, Row] = {}
    shown: dict[Subject, Row] = {}
    other = {"accepted": "declined", "declined": "accepted"}
    for at, said in versions:
        now = shown_in(said)
        decided = [key for key in now if key not in shown and key not in kept]
        kept |= {key: row | {"until": at} for key, row in shown.items()}
        for *subject, how in decided:
            emptied = {key[:2] for key in kept if len(key) == 5 and key[4] == other[how]}
            for key in [key for key in kept if key[-1] == other[how]]:
                if [*key[: len(subject)]] == subject and len(key) > len(subject):
                    del kept[key]
            emptied -= {key[:2] for key in kept if len(key) == 5 and key[4] == other[how]}
            for owner in emptied:
                kept.pop((*owner, other[how]), None)
        for key in now:
            kept.pop(key, None)
        shown = now
    return kept


class Recount:
    """All activities of a warehouse, counted by hand."""

    def __init__(self, session: psycopg.Cursor[Any], zone: ZoneInfo) -> None:
        self.zone = zone
        times = "select now(), min(refreshed_at) from sync.view_versions"
        ((self.now, self.refreshed),) = session.execute(times).fetchall()
        #: Until when what has no end can be read.
        self.forever = datetime(9999, 12, 31, tzinfo=UTC)
        self.activities = [
            Activity(
                name,
                # Of what is withheld, the list tells how it goes on.
                json.loads(details or listed) | (json.loads(listed) if withheld else {}),
                gone,
                seen,
                fetched,
                erased,
                zone,
                {}
                if forgotten
                else kept_of(
                    (datetime.fromisoformat(at), json.loads(x)) for at, x in versions or ()
                ),
            )
            for name, details, listed, gone, seen, fetched, erased, withheld, forgotten, versions in (
                session.execute(_BODIES)
            )
        ]
        #: What we know of counterparts beside the bodies.
        self.people: dict[str, Row] = {
            str(row[0]): dict(
                zip(
                    ("id", "unregistered", "since", "type", "created_at", "erased"),
                    row,
                    strict=True,
                )
            )
            for row in session.execute(
                "select id, unregistered, unregistered_at, type, created_at, erased_at"
                " from warehouse.entities left join sync.erased_entities on entity_id = id"
            )
        }
        self.requests = session.execute(
            "select id, activity_id::text, source from warehouse.authorization_requests"
        ).fetchall()
        self.consents = [row for each in self.activities for row in self._consents(each)]
        self._latest()
        for row in self.consents:
            self._bound(row)

    def ends(self, activity: Activity) -> list[tuple[datetime, str]]:
        """Return what ended a sharing beside its period, and when."""
        person = self.people.get(activity.entity or "", {})
        ends = [
            (activity.ended, "expired" if activity.status == "EXPIRED" else "ended"),
            (activity.gone, "gone"),
            (person["since"] if person.get("unregistered") else None, "unregistered"),
            (activity.erased, "erased"),
        ]
        return [(end, name) for end, name in ends if end]

    def ended_by(self, activity: Activity, now: datetime) -> str | None:
        """Return what ended a sharing first; of two at once, its period."""
        expired = activity.expires is not None and activity.expires <= now
        ends = [(activity.expires, "expired")] if activity.expires and expired else []
        ends += self.ends(activity)
        return min(ends, key=lambda end: end[0])[1] if ends else None

    def sharing_ended(self, activity: Activity) -> bool | None:
        """Return whether what was accepted had ended when it was counted; None: nothing was."""
        gave = activity.stage == "accepted" or activity.shows_acceptance
        return self.ended_by(activity, self.refreshed) is not None if gave else None

    # The register

    def _consents(self, activity: Activity) -> Iterator[Row]:
        # Nobody asks for a share, or accepts it: what it lists is given.
        share = activity.outcome == "share"
        for requirement in activity.requirements:
            items = activity.items_of(requirement)
            requested = requirement.asked() and not share
            names_items = any(item.asked() for item in items)
            missing = any(item.requested and not item.decided("accepted") for item in items)
            decision = {
                "pending": "pending", "declined": "declined", "accepted": "not_known"
            }.get(str(activity.stage), "unanswered")  # fmt: skip
            if requirement.decided("accepted"):
                own = "partly" if missing or requirement.decided("declined") else "accepted"
                own = "share" if share else own
            else:
                own = "declined" if requirement.decided("declined") else decision
            yield self._consent(activity, requirement, None, own, requested)
            whole = requirement.decided("declined") and not any(
                x.decided("declined") for x in items
            )
            some = any(item.decided("accepted") for item in items)
            for item in items:
                own = "unanswered" if some and decision == "not_known" else decision
                own = "declined" if item.decided("declined") or whole else own
                if item.decided("accepted"):
                    own = "share" if share else "accepted"
                asked = requested and (item.asked() or not names_items)
                yield self._consent(activity, requirement, item, own, asked)

    def _consent(
        self, activity: Activity, requirement: Given, item: Given | None, decision: str, asked: bool
    ) -> Row:
        element = item or requirement
        listed_in, position = element.first()
        owner = requirement.number if listed_in == "kept" else getattr(requirement, listed_in)[0]
        given = element.given() if element.decided("accepted") else None
        shown = element.accepted
        value = ((shown[1].get("data") or {}).get("value")) if shown else None
        return {
            "activity_id": activity.id,
            "listed_in": listed_in,
            "requirement_position": owner,
            "item_position": position if item else None,
            "entity_id": activity.entity,
            "direction": activity.direction,
            "code": requirement.code,
            "item_code": item.code if item else None,
            "asked_at": activity.created if asked else None,
            "decided_at": activity.attended
            if decision in ("accepted", "partly", "declined")
            else None,
            "decision": decision,
            "valid_from": activity.shared_from if given is not None else None,
            "activity_type": activity.type,
            "in_out_bound": activity.bound,
            "status": activity.status,
            "created_day": activity.day,
            "expires_at": activity.expires,
            "requirement_type": given.get("type") if given else None,
            "category": given.get("category") if given and not item else None,
            "is_item": item is not None,
            "accepted_position": requirement.accepted[0]
            if shown and requirement.accepted
            else None,
            "accepted_item": shown[0] if shown and item else None,
            "not_shown_since": max((each["until"] for each in element.kept.values()), default=None),
            "has_value": value is not None,
            # Not shown, but needed to go on.
            "_activity": activity,
            "_value": value,
        }

    def _latest(self) -> None:
        """Say of what was given whether the same counterpart gave the same thing again later."""
        alike: dict[Any, list[Row]] = defaultdict(list)
        for row in self.consents:
            row["is_latest"] = True if row["valid_from"] else None
            if row["valid_from"] and row["entity_id"]:
                # What has no code is the same as nothing.
                own = row["item_code"] or (row["activity_id"] if row["is_item"] else None)
                item = (row["is_item"], own)
                alike[row["entity_id"], row["direction"], row["code"], item].append(row)
        for rows in alike.values():
            newest = max((row["valid_from"], row["activity_id"]) for row in rows)
            for row in rows:
                row["is_latest"] = (row["valid_from"], row["activity_id"]) == newest

    def _bound(self, row: Row) -> None:
        activity: Activity = row["_activity"]
        given = row["valid_from"] is not None
        ends = [min(end, self.now) for end, _ in self.ends(activity)]
        ends += [activity.expires] if activity.expires else []
        row["valid_to"] = max(min(ends), row["valid_from"]) if given and ends else None
        row["why_not"] = self.ended_by(activity, self.now) if given else row["decision"]
        row["readable_now"] = row["why_not"] is None
