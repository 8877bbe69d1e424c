"""What a service told during a run: the evidence that a run had."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.support.habits.answers import instant_ms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.sandbox import Answer, Asked, SandboxState
    from tests.support.habits.answers import AnswerOf, Row, Rows

_OF_STATUS = {"valid_until", "attended_at", "completed_at", "expires_at", "expires_in"}


class Told:
    """What the service told of each activity. Put its `change` in force as the last one.

    ``rows_now``, ``details_now``: all that was answered since `begin`, in order; a status where it was
    not 200. ``details``: the versions that may be stored: the last one of the last run that ended well and
    was told any, and all later ones. ``read_at``: the service's time (epoch ms) of the last details.
    ``refused``: whose details were last answered 403 or 404. ``fields``: what details had, until newer ones
    lacked it, or later runs were told twice that it is gone. ``newest``: the latest ``updated_at``,
    likewise; ``newest_before``: until `begin`.
    """

    def __init__(self, state: SandboxState) -> None:
        self._state = state
        self.details: dict[str, Rows] = {}
        self.rows_now: dict[str, Rows] = {}
        self.details_now: dict[str, list[Row | int]] = {}
        self.details_before: dict[str, Row] = {}
        self.read_at: dict[str, int] = {}
        self.refused: set[str] = set()
        self.fields: dict[str, frozenset[str]] = {}
        self.newest: dict[str, int] = {}
        self._fields_before: dict[str, frozenset[str]] = {}
        self.newest_before: dict[str, int] = {}

    def begin(self) -> None:
        """Begin another run."""
        for name, answers in self.details_now.items():
            for each in answers:
                if isinstance(each, dict) and _is_of(name, each):
                    if meant(self.details_before.get(name)) == meant(each):
                        # What a later run is told again is believed, whatever it lacks.
                        self.fields[name] = _filled(each)
                        self.newest[name] = instant_ms(each.get("updated_at"))
                    self.details_before[name] = each
        self.rows_now, self.details_now = {}, {}
        self._fields_before, self.newest_before = dict(self.fields), dict(self.newest)

    def forget_unstored(self, stored: Mapping[str, int]) -> None:
        """Forget what the run was told and did not store: nobody remembers it.

        ``stored``: ``updated_at`` (epoch ms, 0 for none) of what is stored now, by activity.
        """
        fields, newest = self._fields_before, self.newest_before
        lost = {
            name
            for name in {*self.rows_now, *self.details_now}
            if stored.get(name) != self.newest.get(name, 0)
        }
        for name in lost:
            self.newest[name] = max(newest.get(name, 0), stored.get(name, 0))
            self.fields[name] = fields.get(name, frozenset())

    def forget_versions(self) -> None:
        """Forget what was told before: somebody removed it from landing."""
        self.fields, self.newest = {}, {}

    def completed(self) -> None:
        """Note that the run ended well: it has stored the last versions that it was told."""
        for name in self.details_now.keys() & self.details.keys():
            self.details[name] = self.details[name][-1:]

    def change(self, asked: Asked, answer_of: AnswerOf) -> Answer:
        """Note an answer, and return it as it is."""
        answer = answer_of(asked)
        if asked.operation == "list" and answer.status == 200:
            for row in json.loads(answer.body)["data"]:
                self.rows_now.setdefault(row["id"], []).append(row)
        elif asked.operation == "details" and asked.activity_id:
            answers = self.details_now.setdefault(asked.activity_id, [])
            body = _decoded(answer.body) if answer.status == 200 else None
            if body is not None:
                answers.append(body)
                if _is_of(asked.activity_id, body):
                    self._note(asked.activity_id, body)
                self.refused.discard(asked.activity_id)
            else:
                answers.append(answer.status)
                if answer.status in (403, 404):
                    self.refused.add(asked.activity_id)
        return answer

    def _note(self, name: str, body: Any) -> None:
        self.details.setdefault(name, []).append(body)
        self.read_at[name] = self._state.clock.now()
        before, updated_at = self.newest.get(name, 0), instant_ms(body.get("updated_at"))
        self.newest[name] = max(before, updated_at)
        # Newer details may have lost some fields.
        had = self.fields.get(name, frozenset()) if updated_at <= before else frozenset()
        self.fields[name] = had | _filled(body)


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:  # cut off
        return None


def _is_of(name: str, body: Row) -> bool:
    """Whether details are this activity's: another's are never stored."""
    return str(body.get("id", name)).lower() == name


def _filled(body: Row) -> frozenset[str]:
    return fields_of(body, (field for field, value in body.items() if value))


def meant(value: Any) -> Any:
    """Return what an answer means: without what no field is named for, and signatures of addresses."""
    if isinstance(value, dict):
        return {name: meant(each) for name, each in value.items() if name != "served_at"}
    if isinstance(value, list):
        return [meant(each) for each in value]
    if isinstance(value, str) and value.startswith("http"):
        return value.partition("?")[0]
    return value


def fields_of(body: Row, names: Iterable[str]) -> frozenset[str]:
    """Return names of details' fields; moments with the status, with which they may go."""
    return frozenset(
        f"{name} of {body.get('status')}" if name in _OF_STATUS else name for name in names
    )
