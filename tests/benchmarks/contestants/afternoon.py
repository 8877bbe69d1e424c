"""What a good engineer writes in an afternoon: a Dagster asset with daily partitions, and nothing else.

It logs in once, pages through the list with httpx, one request at a time, fetches the details of each row,
tries again after a 500 with tenacity, and upserts normalized tables with SQLAlchemy. It keeps no history,
proves nothing, has no views, and reads everything again each time.
"""

# No annotations as text: Dagster reads those of assets.
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import dagster as dg
import httpx
import sqlalchemy as sa
import tenacity
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import make_url

from tests.benchmarks.contestants.dagster_events import OVERRIDES, QUIET

if TYPE_CHECKING:
    from tests.benchmarks.task import Task

_ROWS = 100
_INSTANTS = ("valid_until", "attended_at", "completed_at", "expires_at", "created_at", "updated_at")
_TEXTS = ("type", "type_name", "in_out_bound", "description", "status", "notification_message")

metadata = sa.MetaData(schema="afternoon")


def _key(name: str, kind: Any = sa.Integer) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text) for name in names]


entities = sa.Table(
    "entities",
    metadata,
    _key("id", sa.Uuid),
    *_texts("name", "cifcode", "type", "avatar", "scoring_level"),
    sa.Column("score", sa.Numeric),
    sa.Column("unregistered", sa.Boolean),
    sa.Column("social_media", sa.JSON),
)
activities = sa.Table(
    "activities",
    metadata,
    _key("id", sa.Uuid),
    sa.Column("entity_id", sa.ForeignKey(entities.c.id)),
    *_texts(*_TEXTS, "time_zone"),
    *[sa.Column(name, sa.DateTime(timezone=True)) for name in _INSTANTS],
)


def _child(name: str, *columns: sa.Column[Any]) -> sa.Table:
    activity: sa.Column[Any] = sa.Column(
        "activity_id", sa.ForeignKey(activities.c.id), primary_key=True
    )
    return sa.Table(name, metadata, activity, *columns)


requirements = _child(
    "requirements",
    _key("disposition", sa.Text),
    _key("position"),
    *_texts("code", "type", "category"),
)
items = _child(
    "items",
    _key("disposition", sa.Text),
    _key("requirement_position"),
    _key("position"),
    *_texts("code", "type"),
    sa.Column("value", sa.JSON),
)
timeline = _child(
    "timeline_events",
    _key("position"),
    *_texts("status", "date_time", "message", "http_request_id"),
)


def run(task: "Task") -> None:
    """Materialize all days of the task in one run."""
    engine = sa.create_engine(make_url(task.database).set(drivername="postgresql+psycopg"))
    with engine.begin() as session:
        session.execute(sa.text("create schema if not exists afternoon"))
        metadata.create_all(session)

    days = dg.DailyPartitionsDefinition(
        task.first.isoformat(), end_date=(task.last + timedelta(days=1)).isoformat()
    )

    @dg.asset(
        name="activities", partitions_def=days, backfill_policy=dg.BackfillPolicy.single_run()
    )
    def mirrored(context: dg.AssetExecutionContext) -> dg.MaterializeResult[Any]:
        first, last = context.partition_key_range
        stored = _mirror(task.url, engine, first, last)
        return dg.MaterializeResult(metadata={"activities": stored})

    history = task.folder / "afternoon"
    history.mkdir(exist_ok=True)
    with dg.DagsterInstance.local_temp(str(history), OVERRIDES) as instance:
        dg.materialize(
            [mirrored],
            instance=instance,
            run_config=QUIET,
            tags={
                "dagster/asset_partition_range_start": task.first.isoformat(),
                "dagster/asset_partition_range_end": task.last.isoformat(),
            },
        )
    engine.dispose()


def _mirror(url: str, engine: sa.Engine, first: str, last: str) -> int:
    """Store what the list shows of these days; return how many activities."""
    stored = 0
    with httpx.Client(base_url=url, headers={"x-api-key": "key"}) as client:
        token = client.post("/token", json={}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        for listed in _pages(client, first, last):
            found = [_get(client, f"/activities/{row['id']}") for row in listed]
            with engine.begin() as session:
                _store(session, found)
            stored += len(found)
    return stored


def _is_500(error: BaseException) -> bool:
    return isinstance(error, httpx.HTTPStatusError) and error.response.status_code >= 500


@tenacity.retry(
    retry=tenacity.retry_if_exception(_is_500),
    wait=tenacity.wait_exponential_jitter(max=30),
    stop=tenacity.stop_after_attempt(5),
)
def _get(client: httpx.Client, path: str, **params: Any) -> Any:
    answer = client.get(path, params=params)
    answer.raise_for_status()
    return answer.json()


def _pages(client: httpx.Client, first: str, last: str) -> Iterator[list[dict[str, Any]]]:
    page, more = 1, True
    while more:
        dates = {"from": first, "to": last}
        answer = _get(client, "/activities", page=page, limit=_ROWS, **dates)
        yield answer["data"]
        page, more = page + 1, answer["has_next"]


def _store(session: sa.Connection, found: list[dict[str, Any]]) -> None:
    people = {each["entity"]["id"]: each["entity"] for each in found}
    _upsert(session, entities, [_picked(entities, each) for each in people.values()])
    _upsert(session, activities, [_activity(each) for each in found])
    names = [each["id"] for each in found]
    for child in (requirements, items, timeline):
        session.execute(sa.delete(child).where(child.c.activity_id.in_(names)))
    _insert(session, requirements, [row for each in found for row in _requirements(each)])
    _insert(session, items, [row for each in found for row in _items(each)])
    events = [
        {"activity_id": each["id"], "position": position, **event}
        for each in found
        for position, event in enumerate(each["timeline"])
    ]
    _insert(session, timeline, events)


def _picked(table: sa.Table, found: dict[str, Any]) -> dict[str, Any]:
    return {column.name: found[column.name] for column in table.columns}


def _activity(found: dict[str, Any]) -> dict[str, Any]:
    row = {name: found[name] for name in ("id", *_TEXTS, "time_zone")}
    row["entity_id"] = found["entity"]["id"]
    return row | {name: datetime.fromtimestamp(found[name] / 1000, UTC) for name in _INSTANTS}


def _dispositions(found: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    for disposition, name in (
        ("requested", "requirements"),
        ("accepted", "accepted_requirements"),
        ("declined", "declined_requirements"),
    ):
        for position, each in enumerate(found[name]):
            yield disposition, position, each


def _requirements(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for disposition, position, each in _dispositions(found):
        more = {name: each.get(name) for name in ("code", "type", "category")}
        yield {"activity_id": found["id"], "disposition": disposition, "position": position, **more}


def _items(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for disposition, place, each in _dispositions(found):
        for position, item in enumerate(each.get("items", ())):
            yield {
                "activity_id": found["id"],
                "disposition": disposition,
                "requirement_position": place,
                "position": position,
                "code": item["code"],
                "type": item.get("type"),
                "value": item.get("data", {}).get("value"),
            }


def _insert(session: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        session.execute(sa.insert(table), rows)


def _upsert(session: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        statement = insert(table)
        others = {
            column.name: statement.excluded[column.name]
            for column in table.columns
            if not column.primary_key
        }
        session.execute(statement.on_conflict_do_update(index_elements=["id"], set_=others), rows)
