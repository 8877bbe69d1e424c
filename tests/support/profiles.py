"""Decent services as data: each keeps to the specification, and differs in what that leaves open.

A `Profile` is played by `tests.support.profile_play`. Two of them put together are a profile, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count, cycle
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from pipeline.ids import plain_uuid
from pipeline.sandbox import Answer, Asked, FaultRule
from tests.support.forms import Form
from tests.support.habits.answers import (
    DAY_MS,
    HOUR_MS,
    MINUTE_MS,
    AnswerOf,
    Change,
    Row,
    Rows,
    ago,
    as_answer,
    bodies,
    cached,
    created_at,
    details,
    details_refused,
    every,
    instead,
    refused,
    restless,
    together,
    younger_than,
)
from tests.support.habits.lists import limit_of, row_changed, rows, rows_lost
from tests.support.law import FINAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import SandboxState

#: The first day of every service, and when its nights begin: ten minutes past three.
FIRST = date(2026, 1, 1)
NIGHT = timedelta(hours=3, minutes=10)

Made: TypeAlias = "Callable[[SandboxState], Change]"


@dataclass(frozen=True)
class Profile:
    """A decent service.

    ``switches`` of the sandbox and ``changes`` of its answers; ``rules``: other faults. ``days`` and
    ``rows``: before the first load. ``zone``: ours. ``hidden_ms``: so long after a change an answer may
    not show it. ``bodies`` changes rows of the list and details alike, and what must be stored.
    ``envelopes`` change whole answers, last. ``maintenance``: whether one night meets closed doors.
    ``unlists``: whether its list drops what is over. ``habits``: how many it has; each costs some requests.
    """

    name: str
    switches: dict[str, Any] = field(default_factory=dict)
    changes: tuple[Made, ...] = ()
    rules: tuple[FaultRule, ...] = ()
    days: int = 30
    rows: int = 90
    zone: str = "UTC"
    hidden_ms: int = 2 * MINUTE_MS
    bodies: Callable[[Row, int], Row] | None = None
    maintenance: bool = False
    unlists: bool = False
    envelopes: tuple[Made, ...] = ()
    habits: int = 1

    @property
    def granted(self) -> int:
        """The largest page that it grants, of the 500 rows that runs ask for."""
        return min(500, self.switches.get("max_limit", 100) or 500)

    def __add__(self, other: Profile) -> Profile:
        """Return a service that has the habits of both; where they differ, those of the other."""
        shaped = other if (other.days, other.rows) != (30, 90) else self
        return Profile(
            f"{self.name} + {other.name}",
            {**self.switches, **other.switches},
            self.changes + other.changes,
            self.rules + other.rules,
            shaped.days,
            shaped.rows,
            self.zone if other.zone == "UTC" else other.zone,
            max(self.hidden_ms, other.hidden_ms),
            self.bodies or other.bodies,
            self.maintenance or other.maintenance,
            self.unlists or other.unlists,
            self.envelopes + other.envelopes,
            self.habits + other.habits,
        )


def morning(day: int) -> int:
    """Return when the night of a day begins, counted from the first day, in epoch milliseconds."""
    began = datetime(FIRST.year, FIRST.month, FIRST.day, tzinfo=UTC)
    return round((began + timedelta(days=day) + NIGHT).timestamp() * 1000)


# What the answers of such services have of their own, beside what is in the catalogue of habits.


def each_row(change_row: Callable[[SandboxState, Row], Row]) -> Made:
    """Change the rows of the list."""
    return lambda state: row_changed(lambda row: change_row(state, row))


def _spelled_otherwise(_: SandboxState, row: Row) -> Row:
    created_at = row["created_at"] // 1000 * 1000
    return row | {
        "id": row["id"].upper(),
        "status": row["status"].lower(),
        "created_at": created_at,
    }


def ids_without_case(_: SandboxState) -> Change:
    """Know an activity by its id in small and in capital letters."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        name = asked.activity_id
        return answer_of(msgspec.structs.replace(asked, activity_id=name and name.lower()))

    return change


def ids_spelled(spell: Callable[[str], str]) -> Made:
    """Spell ids so, also those of counterparts, and know an activity by this spelling only."""

    def made(_: SandboxState) -> Change:
        def respelled(row: Row) -> Row:
            entity = row["entity"] | {"id": spell(row["entity"]["id"])}
            return row | {"id": spell(row["id"]), "entity": entity}

        def known(asked: Asked, answer_of: AnswerOf) -> Answer:
            name = plain_uuid(asked.activity_id or "")
            if name is None or asked.activity_id != spell(name).strip():
                return Answer(404, b'{"error": "no"}')
            return answer_of(msgspec.structs.replace(asked, activity_id=name))

        asks = instead(lambda asked: asked.operation == "details", known)
        return together(row_changed(respelled), details(every, respelled), asks)

    return made


#: What a list may call statuses and directions that the details call otherwise.
_TRANSLATED = {
    "SENT": "ENVIADO",
    "ACTION_REQUIRED": "PENDIENTE",
    "ACCEPTED": "ACEPTADO",
    "COMPLETED": "COMPLETADO",
    "DECLINED": "RECHAZADO",
    "CANCELED": "CANCELADO",
    "EXPIRED": "VENCIDO",
    "IN": "INBOUND",
    "OUT": "OUTBOUND",
}


def _in_another_dialect(_: SandboxState, row: Row) -> Row:
    words = {name: _TRANSLATED[row[name]] for name in ("status", "in_out_bound")}
    return row | words | {"created_at": row["created_at"] + 3000}


def _as_its_receiver(_: SandboxState, row: Row) -> Row:
    return row | {"status": "ACTION_REQUIRED"} if row["status"] == "SENT" else row


def _of_the_last_half_day(state: SandboxState, row: Row) -> Row:
    """Tell the status of noon or midnight; details are computed when they are read."""
    name, now = row["id"].lower(), state.clock.now()
    with ago(state, min(now % (DAY_MS // 2), now - created_at(state, name))):
        return row | {"status": state.truth_of(name).row_fields()["status"]}


def _readable_late(state: SandboxState) -> Change:
    """Know details after five seconds only."""
    return details_refused(younger_than(state, 5000), 404)


def kept_for(operation: str, seconds: int) -> Made:
    """Answer from a cache that keeps each address for so long."""
    return lambda state: cached(operation, state.clock.now, seconds * 1000)


def arrivals(every_number: int) -> Made:
    """Have a new activity with every so-many-th request."""

    def made(state: SandboxState) -> Change:
        seen = count(1)

        def change(asked: Asked, answer_of: AnswerOf) -> Answer:
            if asked.operation in ("list", "details") and next(seen) % every_number == 0:
                state.create(drawn=False)
            return answer_of(asked)

        return change

    return made


def offered_for(days: int) -> Made:
    """Offer what was created in the last days only, in the list and in details."""

    def made(state: SandboxState) -> Change:
        young = younger_than(state, days * DAY_MS)
        kept = rows_lost(lambda row: not young(row["id"]))
        return together(kept, details_refused(lambda name: not young(name), 404))

    return made


def without_what_is_over(_: SandboxState) -> Change:
    """Leave out of the list what is over, once it was listed before that."""
    open_once = set[str]()

    def living(found: Rows) -> Rows:
        open_once.update(row["id"] for row in found if row["status"] not in FINAL)
        return [row for row in found if row["status"] not in FINAL or row["id"] not in open_once]

    return rows(living)


def twice_side_by_side(_: SandboxState) -> Change:
    """Have one row twice, side by side, in every answer."""

    def doubled(found: Rows) -> Rows:
        least = min((row["id"] for row in found), default=None)
        return [row for each in found for row in [each] * (1 + (each["id"] == least))]

    return rows(doubled)


def several_rows_of_one_id(_: SandboxState) -> Change:
    """Have two rows more before that of every twentieth activity: of another status or counterpart."""

    def more(found: Rows) -> Rows:
        other = next((row["entity"] for row in found), None)
        return [
            row
            for each in found
            for row in (
                [each | {"status": "SENT"}, each | {"entity": other}, each]
                if _number(each) % 20 == 0
                else [each]
            )
        ]

    return rows(more)


def _number(named: Row) -> int:
    return int(named["id"].replace("-", ""), 16)


def empty_lists_by(status: int) -> Made:
    """Answer this status to a list without a row, and leave out what is false or empty of the others."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        answer = answer_of(asked)
        if answer.status != 200:
            return answer
        page = msgspec.json.decode(answer.body)
        if status == 200 or page.get("data"):
            return as_answer({name: value for name, value in page.items() if value})
        return Answer(status, b"" if status == 204 else b'{"error": "nothing found"}')

    return lambda _: instead(lambda asked: asked.operation == "list", change)


def only_pages_of(*sizes: int) -> Made:
    """Refuse all other values of ``limit``."""
    return lambda _: instead(
        lambda asked: asked.operation == "list" and limit_of(asked) not in sizes, refused(400)
    )


def up_to_minutes_behind(minutes: int) -> Made:
    """Answer each request from one of several copies, which are up to so many minutes behind."""

    def made(state: SandboxState) -> Change:
        behind = cycle((1, minutes, 0))

        def change(asked: Asked, answer_of: AnswerOf) -> Answer:
            with ago(state, next(behind) * MINUTE_MS):
                return answer_of(asked)

        return change

    return made


def closed_for_an_hour(day: int) -> Made:
    """Answer 503 for an hour from three o'clock of a day on."""
    begins = morning(day) - 10 * MINUTE_MS
    closed = Answer(503, b'{"error": "back at four"}', headers={"Retry-After": "3000"})

    def made(state: SandboxState) -> Change:
        return instead(
            lambda _: begins <= state.clock.now() < begins + HOUR_MS, lambda _, __: closed
        )

    return made


def sticky(_: SandboxState) -> Change:
    """Know a token only on the node that gave it out, which a cookie names."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation != "login" and "node=2" not in asked.headers.get("Cookie", ""):
            return Answer(401, b'{"error": "unauthorized"}')
        answer = answer_of(asked)
        return msgspec.structs.replace(answer, headers={"Set-Cookie": "node=2; Path=/"})

    return change


def in_other_types(body: Row, _: int) -> Row:
    """Give what is decorative in other JSON types, as loosely typed services do."""
    unset: Row = {"valid_until": "", "attended_at": {}, "completed_at": "", "expires_at": {}}
    changed = body | {name: none for name, none in unset.items() if body.get(name, 0) is None}
    if entity := body.get("entity"):
        texts = {name: str(entity[name]).lower() for name in ("score", "unregistered")}
        changed["entity"] = entity | texts | {"social_media": entity["social_media"] or ""}
    if duration := body.get("expires_in"):
        changed["expires_in"] = duration | {"amount": str(duration["amount"])}
    return changed


def pages_in_other_types(_: SandboxState) -> Change:
    """Have 0 and 1 for booleans, and an object for an array with gaps or without rows."""

    def changed(_: Asked, page: Row) -> Row:
        gaps = {str(2 * place): row for place, row in enumerate(page["data"])}
        return {"has_next": int(page["has_next"]), "data": gaps}

    return bodies("list", changed)


def another_page_always(_: SandboxState) -> Change:
    """Say of each page that another one follows."""
    return bodies("list", lambda _, page: page | {"has_next": True})


def without_counterparts(_: SandboxState) -> Change:
    """Leave counterparts to the list: details need not have them."""
    return bodies("details", lambda _, body: body | {"entity": None})


def _in_short(_: SandboxState, row: Row) -> Row:
    """Have the counterpart's first letters, and a rounded score."""
    entity = row["entity"]
    short = entity and {"name": f"{entity['name'][:6]}…", "score": round(entity["score"], -1)}
    return row | {"entity": entity and entity | short}


def without_deleted_profiles(body: Row, now: int) -> Row:
    """Leave out counterparts that have deleted their profile: a tenth, after the second night."""
    entity = body.get("entity")
    gone = entity and _number(entity) % 10 == 0 and now > morning(30) + DAY_MS // 2
    return body | {"entity": None} if gone else body


def newest_status_first(body: Row, _: int) -> Row:
    """Turn the timeline round."""
    return body | {"timeline": body["timeline"][::-1]} if "timeline" in body else body


def without_timeline(body: Row, _: int) -> Row:
    """Leave out the timeline."""
    return {name: value for name, value in body.items() if name != "timeline"}


def changed_bodies(change_body: Callable[[Row, int], Row]) -> Made:
    """Change rows of the list and details alike."""

    def made(state: SandboxState) -> Change:
        def changed(body: Row) -> Row:
            return change_body(body, state.clock.now())

        return together(details(every, changed), row_changed(changed))

    return made


_SKEWED = {"date_skew_ms": 4 * MINUTE_MS, "token_skew_ms": 4 * MINUTE_MS}
_BEHIND = {name: -by for name, by in _SKEWED.items()}
_FORM = Form(rows="string", details="object", unset="absent", offsets=True, extra=True)
_LIMITED = FaultRule(kind="status", status=429, retry_after=0, rate=0.04, first_attempts=1)
_THROTTLED = FaultRule(kind="status", status=503, rate=0.04, seed=3, first_attempts=1)
_SHAKY = FaultRule(kind="status", status=500, rate=0.01, seed=7, first_attempts=1)

#: Played by the ordinary tests, each by itself.
_ALONE = (
    Profile("plain"),
    Profile("list in another dialect", changes=(each_row(_in_another_dialect),)),
    Profile("several rows of one id", changes=(several_rows_of_one_id,)),
    Profile(
        "what is over is not listed",
        changes=(without_what_is_over,),
        bodies=without_timeline,
        unlists=True,
    ),
    Profile("busy", days=4, rows=400),
    Profile("500 quiet days", days=500, rows=49),
    Profile("twelve in another dialect", changes=(each_row(_in_another_dialect),), rows=12),
)
#: And each of these with the one in its place of the second.
_FIRST = (
    Profile(
        "days of another end of the world",
        {"day_zone": "Pacific/Kiritimati"},
        zone="Pacific/Pago_Pago",
    ),
    Profile("`to` is a midnight, oldest first", {"to_day": "midnight", "order": "oldest"}),
    Profile("twenty rows a page", {"max_limit": 20}),
    Profile(
        "more than 50 refused, by id", {"max_limit": 50, "over_limit": "refuse", "order": "id"}
    ),
    Profile("readable late, 50 a minute", changes=(_readable_late, arrivals(12))),
    Profile(
        "list spelled otherwise, in seconds",
        changes=(ids_without_case, each_row(_spelled_otherwise)),
    ),
    Profile("ids in upper case, compared as text", changes=(ids_spelled(str.upper),)),
    Profile(
        "list of noon and midnight",
        changes=(each_row(_of_the_last_half_day),),
        hidden_ms=12 * HOUR_MS,
        bodies=newest_status_first,
    ),
    Profile("offered for 40 days", changes=(offered_for(40),), days=45, rows=135),
    Profile(
        "copies up to twenty minutes behind",
        changes=(up_to_minutes_behind(20),),
        hidden_ms=21 * MINUTE_MS,
    ),
    Profile("deleted profiles", bodies=without_deleted_profiles),
    Profile("empty lists are not found", envelopes=(empty_lists_by(404),), days=200, rows=25),
    Profile(
        "ids without hyphens, padded", changes=(ids_spelled(lambda x: f"{x.replace('-', '')} "),)
    ),
    Profile(
        "ids in braces or as URNs",
        changes=(ids_spelled(lambda x: f"urn:uuid:{x}" if x < "8" else f"{{{x}}}"),),
    ),
)
_SECOND = (
    Profile("counterparts in the list alone", changes=(without_counterparts,)),
    Profile("one row twice", changes=(twice_side_by_side,)),
    Profile("limited rate", rules=(_LIMITED,)),
    Profile("list cached for a minute", changes=(kept_for("list", 60),)),
    Profile("throttled by 503, without a word of when", rules=(_THROTTLED,)),
    Profile("an hour of maintenance", changes=(closed_for_an_hour(32),), maintenance=True),
    Profile("a node by cookie", changes=(sticky,)),
    Profile("clock four minutes ahead", _SKEWED),
    Profile(
        "other types of what is decorative",
        changes=(changed_bodies(in_other_types),),
        envelopes=(pages_in_other_types,),
    ),
    Profile("pages of 10, 20, 50, 100", changes=(only_pages_of(10, 20, 50, 100),)),
    Profile("no details after the sharing", {"expired_details": "forbidden"}),
    Profile("pending as its receiver sees it", changes=(each_row(_as_its_receiver),)),
    Profile("always another page", envelopes=(another_page_always,)),
    Profile("counterparts in short in the list", changes=(each_row(_in_short),)),
)
ORDINARY = (*_ALONE, *(first + second for first, second in zip(_FIRST, _SECOND, strict=True)))

#: All, and more of kinds of which the ordinary tests have another one.
PROFILES = (
    *_ALONE,
    *_FIRST,
    *_SECOND,
    Profile("days of the caller", {"day_zone": "caller"}, zone="America/Lima"),
    Profile(
        "any page, an empty one last",
        {"max_limit": None, "trailing_empty_page": True, "order": "id"},
    ),
    Profile(
        "all cached for half a minute", changes=(kept_for("details", 30), kept_for("list", 30))
    ),
    Profile("clock four minutes behind", _BEHIND),
    Profile("some errors", rules=(_SHAKY,)),
    Profile("empty lists without content", envelopes=(empty_lists_by(204),), days=200, rows=25),
    Profile("what is empty is left out", envelopes=(empty_lists_by(200),), days=200, rows=25),
    Profile("one token, for a minute", {"one_token": True, "token_seconds": 60}),
    Profile("other forms", {"form": _FORM}),
    Profile("signed addresses, any order of names", changes=(lambda _: restless(1),)),
)

#: Habits that together hide what is true: pages of copies that are many rows apart skip rows, which a run
#: says; and what is neither listed nor answered is gone.
NOT_TOGETHER = (
    {"busy", "copies up to twenty minutes behind"},
    {"what is over is not listed", "no details after the sharing"},
    # A copy that is behind lists as shared what another one refuses already: it waits for the next night.
    {"copies up to twenty minutes behind", "no details after the sharing"},
)
