"""dlt as its documentation has it: a resource, a transformer that fetches in parallel, merged by id.

Nested lists become tables of their own. ``again`` is what users add by hand: details are fetched only
where id or status is not stored yet.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import dlt
import psycopg
from dlt.sources.helpers import requests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.task import Task

_ROWS = 100


def _source(task: Task, known: set[tuple[str, str]]) -> Any:
    session = requests.Client(raise_for_status=True)
    headers = {"x-api-key": "key"}
    token = session.post(f"{task.url}/token", json={}, headers=headers).json()["token"]
    headers["Authorization"] = f"Bearer {token}"

    def get(path: str, **query: Any) -> Any:
        return session.get(f"{task.url}{path}", params=query, headers=headers).json()

    @dlt.resource
    def listed() -> Iterator[list[dict[str, Any]]]:
        page, more = 1, True
        dates = {"from": task.first.isoformat(), "to": task.last.isoformat()}
        while more:
            answer = get("/activities", page=page, limit=_ROWS, **dates)
            yield [row for row in answer["data"] if (row["id"], row["status"]) not in known]
            page, more = page + 1, answer["has_next"]

    @dlt.transformer(data_from=listed, primary_key="id", write_disposition="merge")
    def activities(rows: list[dict[str, Any]]) -> Iterator[Callable[[], Any]]:
        @dlt.defer
        def details(name: str) -> Any:
            return get(f"/activities/{name}")

        for row in rows:
            yield details(row["id"])

    return activities


def run(task: Task) -> None:
    """Mirror once."""
    os.environ |= {
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "RUNTIME__LOG_LEVEL": "CRITICAL",
        "EXTRACT__WORKERS": str(task.concurrency),
        "EXTRACT__MAX_PARALLEL_ITEMS": str(2 * task.concurrency),
        "DLT_DATA_DIR": str(task.folder / "dlt"),
    }
    known: set[tuple[str, str]] = set()
    if task.again:
        with psycopg.connect(task.database) as session:
            known = {
                (name, status)
                for name, status in session.execute("select id, status from dlt.activities")
            }
    pipeline = dlt.pipeline(
        pipeline_name=f"bench_{urlsplit(task.database).path.strip('/')}",
        pipelines_dir=str(task.folder / "dlt"),
        # It insists on both; the folder of the socket, in the query, is what counts.
        destination=dlt.destinations.postgres(task.database.replace("@/", ":none@localhost/")),
        dataset_name="dlt",
    )
    pipeline.run(_source(task, known))
