"""What must be written so that ledger and tables say what ``landing`` holds. Pure.

Implements docs/design.md "Altered rows".
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.merge import Merged
from pipeline.warehouse.rows import DetailsObservation, ListObservation, Outcome


def merge_stored(
    outcomes: Sequence[Outcome], known: Mapping[str, LedgerRow], version: int, same_since: int
) -> Merged:
    """Return what must be written so that ledger and tables say what ``landing`` holds.

    ``outcomes`` are mapped from the newest stored responses by the mapping ``version``; one without details
    and row of the list has lost them. ``same_since``: mappings from this one on store the same rows.
    Counterparts are left out: their latest observation may be in another activity's response.
    """
    merged = Merged()
    for outcome in outcomes:
        name, listed, details = outcome.subject, outcome.listed, outcome.details
        row = known.get(name, LedgerRow(name, altered=True))
        older = row.mapping_version is not None and row.mapping_version != version
        if not (row.altered or older):
            merged.unchanged += 1
            if details is None or details.meaning == row.details:
                merged.keep(row, _mapped_again(row, listed, details, older))
            continue
        # Only what is altered has lost its rows; another mapping may store others.
        rewrite = row.altered or (row.mapping_version or 0) < same_since
        # Landing may also have lost its newest version only.
        other = details is None or (not older and details.meaning != row.details)
        lost = row.details is not None and other and not outcome.failures
        if outcome.failures:
            settled = None if row.altered else row.settled
            after = replace(row, mapping_version=row.mapping_version and version, settled=settled)
            rewrite = False
        elif lost or not (listed or details):
            if row.listed is None and row.details is None:
                merged.unknown.append(name)
                continue
            # The rows stay until details come. An empty digest is nobody's.
            nobodys = b"" if row.details is not None else None
            after = replace(row, settled=None, details=nobodys, mapping_version=None)
            rewrite = False
        else:
            after = _mapped_again(row, listed, details, older)
        if row.altered and listed is None and row.listed is not None and row.day is not None:
            # Nothing says what the list had: its day is read again.
            after = replace(after, listed=b"", settled=None)
            merged.reopened.add(row.day)
        merged.fail(outcome.failures)
        after = replace(after, altered=False)
        merged.keep(known.get(name), after)
        if not rewrite:
            merged.unchanged += 1
            continue
        merged.changes.append((name, "changed"))
        merged.landed_before.append(name)
        if details is not None:
            merged.details_news.append(details)
        else:
            merged.childless.append(name)
            if listed is not None and after.withheld_at is not None:
                merged.only_listed.append(listed)
        # Writing the row again takes back what refusals had written, so they are written again, too.
        if after.withheld_at is not None or after.gone_at is not None:
            shown = listed if after.withheld_at else None
            merged.refusals.append((name, shown, after.gone_at))
    return merged


def _mapped_again(
    row: LedgerRow, listed: ListObservation | None, details: DetailsObservation | None, older: bool
) -> LedgerRow:
    """Return the row of an activity whose stored responses were mapped again."""
    was_settled = row.settled is not None and row.settled == row.listed
    # A row without a ledger's word is as good as new.
    again = older or row.listed is None
    if listed is not None and again:
        day = listed.day if listed.dated else row.day or listed.day
        at = row.listed_at or listed.received_at
        row = replace(row, listed=listed.meaning, listed_at=at, day=day)
    if details is None:
        row = replace(row, final=row.withheld_at is not None)
        return replace(row, settled=row.listed) if was_settled else row
    # Otherwise landing was restored, or lost its newest version: the next details win.
    trusted = was_settled and (older or details.meaning == row.details)
    withheld = row.withheld_at is not None
    return replace(
        row,
        day=details.day or row.day,
        settled=row.listed if trusted else None,
        details=details.meaning,
        mapping_version=details.mapping_version,
        final=details.final or withheld,
        deadline_at=None if withheld else details.deadline_at,
    )
