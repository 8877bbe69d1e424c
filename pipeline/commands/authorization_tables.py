"""The tables and lines that ``pipeline authorize`` prints. Phone numbers are masked in all of them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from pipeline.authorizations.files import requirements_cell
from pipeline.authorizations.phones import mask, mask_all, mask_in
from pipeline.authorizations.references import compose
from pipeline.authorizations.requests import Request
from pipeline.authorizations.restore import Review
from pipeline.authorizations.run import Summary
from pipeline.commands.console import out, print_table, tell
from pipeline.warehouse.authorizations import Row

_MOST_PLANNED = 20


def print_problems(lines: Sequence[Request], unit: str) -> None:
    """Print errors and warnings in the order of lines; a warning once, with the first line that has it."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for line in lines:
        for warning in [] if line.problems else line.warnings:
            places[warning].append(line.number)
    for line in lines:
        where = f"{unit} {line.number}"
        if line.problems:
            tell(where, f"error: {'; '.join(line.problems)}")
            continue
        for warning in line.warnings:
            first, *more = places[warning]
            if first == line.number:
                others = f" (and {len(more)} more {unit}{'s' * (len(more) > 1)})" if more else ""
                tell(where, f"warning: {warning}{others}", "yellow")


def print_review(found: Review) -> None:
    """Print what was sent since a backup, and who else may have been asked."""
    sent, owners = found.look.sent, found.look.owners
    rows = [
        (
            each.created,
            each.activity_id,
            each.status,
            _name(owners[each]) if each in owners else "nothing here",
            mask_all(each.text) if each.text is not None else "unreadable",
        )
        for each in sent
    ]
    columns = ("created", "activity", "status", "belongs to", "message")
    print_table(f"sent since the last call known here: {len(rows):,}", columns, rows)
    out.print(f"{found.linked:,} requests were linked")
    for each in found.unsure:
        tell("may have been asked", _name(each), "yellow")


def _name(owner: Row | Request) -> str:
    if isinstance(owner, Request):
        return f"line {owner.number} to {_to(owner)}"
    reference = mask_in(owner.reference or "", owner.phone_number)
    return f"request {owner.id[:8]} {reference} to {_to(owner)}"


def _to(request: Row | Request) -> str:
    return f"{request.phone_country_code[:2]} {mask(request.phone_number)}"


def print_people(lines: Sequence[Request], days: int) -> None:
    """Print how many people a file asks, and how many of them were asked within ``days``."""
    fresh = [line for line in lines if line.fresh]
    rows = (
        ("lines", len(lines)),
        ("new requests", len(fresh)),
        ("people to ask", len({line.phone_number for line in fresh})),
        (
            f"asked in the last {days} days",
            len({line.phone_number for line in fresh if line.asked}),
        ),
        ("known already", sum(bool(line.known) for line in lines)),
        ("with problems", sum(bool(line.problems) for line in lines)),
    )
    print_table("the file", ("", ""), rows)


def print_results(lines: Sequence[Mapping[str, Any]]) -> None:
    """Print what became of requests, and how many there are of each result."""
    names = ("line", "reference", "phone_number", "result", "accepted")
    rows = [
        (*map(line.get, names), line.get("reason") or line.get("activity_id")) for line in lines
    ]
    columns = ("", "reference", "to", "result", "accepted", "reason or activity")
    print_table(f"results: {len(lines):,}", columns, rows, "no requests")
    if counts := Counter(line["result"] for line in lines):
        out.print(", ".join(f"{number:,} {result}" for result, number in counts.most_common()))


def print_plan(lines: Sequence[Request], pattern: str | None) -> None:
    """Print what a file would send: each message as its receiver will see it."""
    columns = ("", "reference", "to", "validity", "requirements", "characters", "message")
    rows = []
    for line in lines:
        if line.fresh:
            amount, requirements = line.validity_amount, requirements_cell(line.requirements)
            validity = None if amount is None else f"{amount:f} {line.validity_time_unit}"
            message = compose(line.description, line.message_reference, pattern)
            shown = (len(message), mask_in(message, line.phone_number))
            rows.append((line.number, line.reference, _to(line), validity, requirements, *shown))
    print_table(f"{len(rows):,} new", columns, rows[:_MOST_PLANNED])
    if (left := len(rows) - _MOST_PLANNED) > 0:
        out.print(f"and {left:,} more")


def print_queued(lines: Sequence[Request], queued: int) -> None:
    """Print how many lines of a file were ``queued``, and what became of the others."""
    bad = sum(bool(line.problems) for line in lines)
    known = len(lines) - bad - queued
    out.print(f"of {len(lines):,}: {queued:,} queued, {known:,} known already, {bad:,} skipped")


def print_requests(rows: Sequence[Row], total: int) -> None:
    """Print requests, each with the activities that may be its own. ``total``: how many there are."""
    columns = ("request", "reference", "to", "state", "calls", "since", "reason")
    lines = chain.from_iterable(map(_lines, rows))
    print_table(f"requests: {total:,}", columns, lines, "no requests", below=("reason",))


def _lines(row: Row) -> Iterator[tuple[object, ...]]:
    reference = mask_in(row.reference or "", row.phone_number)
    whom = (row.id[:8], reference, _to(row))
    yield *whom, row.state, row.attempts, row.answered_at or row.called_at, _reason(row)
    for each in row.candidates:
        about = f"activity {each['activity_id']}, {each['status']}"
        about += f", counterpart: {each.get('counterpart') or 'not known'}"
        text = mask_in(each.get("text", ""), row.phone_number)
        created = datetime.fromisoformat(each["created_at"])
        yield "", "", "", "perhaps", "", created, f"{about}: {text}"


def print_summary(summary: Summary) -> None:
    """Print what a run did, and what a person may want to know."""
    rows = [(name, summary.now[name] or None, all_) for name, all_ in summary.states.items()]
    print_table("authorizations", ("", "now", "all"), rows)
    for problem in summary.problems:
        tell("incomplete", problem, "yellow")
    if summary.stopped:
        tell("stopped", f"{summary.stopped}; the rest stays queued")


def _reason(row: Row) -> str:
    """Return why a request is in its state, and for an unclear one what happens next."""
    reason = row.state_reason or row.activity_id or ""
    if row.state not in ("sent", "unknown"):
        return reason
    reason = (
        f"{reason or 'its activity is not found'}; decide: pipeline authorize resolve {row.id[:8]}"
    )
    if row.next_look_at is None:
        return reason
    return f"{reason}, or wait for the next look at {row.next_look_at:%Y-%m-%d %H:%M}"
