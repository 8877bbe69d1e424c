"""A service whose answers are put together from templates: several times as fast as any client.

It serves what the sandbox can't: hundreds of thousands of activities, or details of megabytes,
without being what is measured. Every activity is final; ``PUT /changed/N`` changes the last N of them, and
changes others back.
As a program it prints its base URL and serves until it is ended::

    python -m tests.benchmarks.precomputed --number 50000 --days 100
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qs, urlsplit

from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST = date(2026, 1, 1)

#: Activities that share a counterpart.
PER_ENTITY = 5

#: Numbers are spread over the ids, one to one, as a service's random ids are spread: an index that
#: grows at its end only is cheaper than any that a warehouse has.
SPREAD = 2_654_435_761
_IDS = 2**32
_GATHER = pow(SPREAD, -1, _IDS)
_DAY = 86_400_000
_MOST_ROWS = 500
_HEAD = b"HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
_TOKEN = b'{"token":"precomputed","expires_at":4102444800000}'
_ID = b"%08x-0000-4000-8000-000000000000"
_ENTITY_ID = b"%08x-0000-4000-8000-00000000000e"
_ENTITY = (
    b'{"id":"%b","name":"Member %d","cifcode":'
    b'"%08x-0000-4000-8000-00000000000c","type":"INDIVIDUAL","avatar":"https://a.example/%d.png",'
    b'"score":%d,"scoring_level":"GOOD","social_media":[{"media":"X","url":"https://x.example/%d"}],'
    b'"created_at":1700000000000,"unregistered":false}'
)
_SHARED = (
    b'"id":"%b","type":"AT_004","in_out_bound":"OUT","entity":%b,"status":"%b",'
    b'"time_zone":"America/Lima","created_at":%d'
)
_MORE = (
    b',"type_name":"Authorization request","description":"Please share number %d",'
    b'"notification_message":"Shared","valid_until":%d,"attended_at":%d,"completed_at":%d,'
    b'"expires_at":%d,"updated_at":%d,"expires_in":{"time_unit":"HOURS","amount":48},'
    b'"requirements":[{"code":"RQ_002","items":[{"code":"IDT_001"},{"code":"IDT_002"}]},'
    b'{"code":"RQ_004","items":[{"code":"PIF_002"}]},{"code":"RQ_007"}],'
    b'"accepted_requirements":[{"code":"RQ_002","type":"RTP_002","category":"RQC_001","items":['
    b'{"code":"IDT_001","type":"RTP_002","data":{"value":{"since":2019}}},'
    b'{"code":"IDT_002","type":"RTP_002","data":{"value":{"score":700}}}]}],'
    b'"declined_requirements":[{"code":"RQ_007"}],"timeline":['
    b'{"status":"SENT","date_time":"2026-01-01T08:00:00Z","message":"","http_request_id":"a"},'
    b'{"status":"%b","date_time":"2026-01-01T09:00:00Z","message":"","http_request_id":"b"}]'
)
_IMAGE = b',"image":{"note":"not specified","base64":"'


@dataclass(frozen=True)
class Activities:
    """What is served: ``number`` activities evenly over ``days`` from ``first`` on.

    ``padding``: bytes in each's details. ``latency``: milliseconds before each answer.
    """

    number: int
    days: int
    padding: int = 0
    latency: int = 0
    first: date = FIRST

    @property
    def last(self) -> date:
        """The last day."""
        return self.first + timedelta(days=self.days - 1)


def spread(number: int) -> int:
    """Return the number with which the ids of an activity, or of a counterpart, begin."""
    return number * SPREAD % _IDS


def activity_id(number: int) -> str:
    """Return the id of an activity."""
    return (_ID % spread(number)).decode()


def entity_id(number: int) -> str:
    """Return the id of a counterpart, which is that of `PER_ENTITY` activities in a row."""
    return (_ENTITY_ID % spread(number)).decode()


def _number(name: str) -> int:
    """Return the number of the activity with this id."""
    return int(name[:8], 16) * _GATHER % _IDS


class Answers:
    """The answers' bodies. ``changed``: how many of the last activities are not as they were.

    ``most``: the largest number of them so far. ``changes``: how often that was set; each time all of
    these have a later ``updated_at``.
    """

    def __init__(self, activities: Activities) -> None:
        self.number, self.days = activities.number, activities.days
        self.changed = self.changes = self.most = 0
        self._first = activities.first
        self._start = round(datetime.combine(self._first, time.min, UTC).timestamp() * 1000)
        self._padding = activities.padding

    def change(self, changed: int) -> None:
        """Change so many of the last activities, and others back."""
        self.changed, self.most = changed, max(self.most, changed)
        self.changes += 1

    def created_at(self, number: int) -> int:
        """Return when it was created, in epoch ms."""
        return self._start + number * self.days * _DAY // self.number

    def _status(self, number: int) -> bytes:
        return b"EXPIRED" if number >= self.number - self.changed else b"COMPLETED"

    def page(self, query: dict[str, list[str]]) -> bytes:
        """Answer the list operation (docs/service.md 4.3); days are cut in UTC, ``to`` is whole."""
        first, last = self._range(query)
        limit = min(int(query.get("limit", ["35"])[0]), _MOST_ROWS)
        begin = first + limit * (int(query.get("page", ["1"])[0]) - 1)
        end = min(begin + limit, last)
        rows = b",".join(b"{%b}" % self._shared(number) for number in range(begin, end))
        return b'{"has_next":%b,"data":[%b]}' % (b"true" if end < last else b"false", rows)

    def details(self, number: int) -> bytes:
        """Answer the details operation (docs/service.md 4.4)."""
        at = self.created_at(number)
        hour = 3_600_000
        changes = self.changes if number >= self.number - self.most else 0
        more = _MORE % (
            number, at + 9 * hour, at + hour, at + 2 * hour, at + 9 * hour, at + hour + changes,
            self._status(number),
        )  # fmt: skip
        image = b'%b%b"}' % (_IMAGE, b"x" * self._padding) if self._padding else b""
        return b"{%b%b%b}" % (self._shared(number), more, image)

    def _shared(self, number: int) -> bytes:
        who = number // PER_ENTITY
        begin = spread(who)
        entity = _ENTITY % (_ENTITY_ID % begin, who, begin, who, 500 + who % 300, who)
        name = _ID % spread(number)
        return _SHARED % (name, entity, self._status(number), self.created_at(number))

    def _range(self, query: dict[str, list[str]]) -> tuple[int, int]:
        """Return the first number asked for, and the one after the last."""
        first, last = 0, self.number
        if "from" in query:
            first = max(first, self._before(date.fromisoformat(query["from"][0])))
        if "to" in query:
            last = min(last, self._before(date.fromisoformat(query["to"][0]) + timedelta(days=1)))
        if "id" in query:
            number = _number(query["id"][0])
            first, last = (number, number + 1) if first <= number < last else (0, 0)
        return first, last

    def _before(self, day: date) -> int:
        """Return how many were created before that day."""
        passed = (day - self._first).days
        return min(max(-(-passed * self.number // self.days), 0), self.number)


class _Connection(asyncio.Protocol):
    """One connection: requests without a body, answered in turn."""

    def __init__(self, answers: Answers, latency: float) -> None:
        self._answers = answers
        self._latency = latency
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to write."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer each whole request."""
        self._received += data
        while b"\r\n\r\n" in self._received:
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            method, target, _ = head.split(b"\r\n", 1)[0].split(b" ")
            status, body = self._answer(method, target.decode())
            answer = [_HEAD % (status, len(body)), body]
            if self._latency:
                loop = asyncio.get_running_loop()
                loop.call_later(self._latency, self._transport.writelines, answer)
            else:
                self._transport.writelines(answer)

    def _answer(self, method: bytes, target: str) -> tuple[int, bytes]:
        if method == b"POST":
            return 201, _TOKEN
        parts = urlsplit(target)
        name = parts.path.rsplit("/", 1)[1]
        if method == b"PUT":
            self._answers.change(int(name))
            return 200, b"{}"
        if name == "activities":
            return 200, self._answers.page(parse_qs(parts.query))
        return 200, self._answers.details(_number(name))


async def serve(activities: Activities) -> None:
    """Serve on a free port until cancelled; prints the base URL."""
    answers = Answers(activities)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: _Connection(answers, activities.latency / 1000), "127.0.0.1", 0, backlog=512
    )
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)  # noqa: T201
    await server.serve_forever()


@contextmanager
def precomputed(activities: Activities) -> Iterator[str]:
    """Serve from a process of its own; yields the base URL."""
    options = [f"--{field.name}={getattr(activities, field.name)}" for field in fields(activities)]
    command = [sys.executable, "-m", "tests.benchmarks.precomputed", *options]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def change_last(url: str, number: int) -> None:
    """Change the last ``number`` activities of the service at ``url``."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    connection.request("PUT", f"/changed/{number}")
    assert connection.getresponse().status == 200
    connection.close()


def _main() -> None:
    parser = argparse.ArgumentParser(description="A service of precomputed answers.")
    parser.add_argument("--number", type=int, default=10_000, help="how many activities")
    parser.add_argument("--days", type=int, default=20)
    parser.add_argument("--padding", type=int, default=0, help="bytes to add to each details body")
    parser.add_argument("--latency", type=int, default=0, help="milliseconds before each answer")
    parser.add_argument("--first", type=date.fromisoformat, default=FIRST, help="the first day")
    asyncio.run(serve(Activities(**vars(parser.parse_args()))))


if __name__ == "__main__":
    _main()
