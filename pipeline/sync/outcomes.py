"""From an answer, or the lack of one, to what the loader takes (docs/design.md "Fetch")."""

from pipeline.service.errors import Forbidden, ServiceError, Unauthorized, UnexpectedShape
from pipeline.sync.fields import Unstorable
from pipeline.sync.list_rows import ListRow
from pipeline.sync.mapping import Mapper
from pipeline.warehouse.rows import Failure, Outcome


def list_outcome(mapper: Mapper, row: ListRow) -> Outcome:
    """Return the outcome of a row of the list: mapped, or the reason why that can't be done."""
    reason = row.malformed
    if reason is None:
        try:
            listed = mapper.listed(row.body, row.received_at, row.day, row.fingerprint)
            listed.before = row.before
            return Outcome(row.subject, listed=listed)
        except UnexpectedShape as error:
            reason = error.cause
        except Unstorable as error:
            reason = str(error)
    failure = Failure(
        source="list",
        subject=row.subject,
        activity_id=row.activity_id,
        day=row.day,
        reason=reason,
        payload=row.body,
        at=row.received_at,
        day_guessed=row.created_at is None and row.activity_id == row.subject,
    )
    return Outcome(row.subject, failures=[failure])


def may_be_the_service(error: ServiceError) -> bool:
    """Whether this may be the fault of the service or the session, not of the activity."""
    return error.service_failing or isinstance(error, Unauthorized | Forbidden)
