"""What a hand at psql may do to a warehouse, and a clock that was wrong."""

from __future__ import annotations

_CHILDREN = ("requirements", "requirement_items", "accepted_items", "timeline_events")
#: Statements; SOME stands for a condition that some rows meet.
TAMPERINGS = (
    *(f"delete from warehouse.{table} where SOME" for table in _CHILDREN),
    "delete from warehouse.activities where SOME",
    "truncate warehouse.activities cascade",
    "truncate warehouse.entities cascade",
    "update warehouse.activities set status = 'SENT' where SOME",
    "update warehouse.activities set description = 'by hand' where SOME",
    "update warehouse.activities set gone_at = now() where SOME",
    "update warehouse.timeline_events set message = 'by hand' where SOME",
    "update warehouse.entities set name = 'by hand' where SOME",
    "delete from warehouse.entity_social_media where SOME",
    "delete from sync.activity_ledger where SOME",
    "delete from sync.days where SOME",
    "delete from landing.activity_details where SOME",
    "delete from landing.activity_list_rows where SOME",
    "truncate warehouse.requirements, warehouse.timeline_events",
    "truncate landing.activity_list_rows",
    "truncate sync.days",
    "insert into warehouse.timeline_events (activity_id, position, status)"
    " select id, 99, 'SENT' from warehouse.activities where SOME",
)
#: The times that we gave to what we received, by table.
STAMPS = {
    "sync.activity_ledger": ("listed_at", "checked_at", "unlisted_at"),
    "sync.quarantine": ("first_seen_at", "last_seen_at", "next_attempt_at"),
    "landing.activity_details": ("first_seen_at", "last_seen_at"),
    "landing.activity_list_rows": ("first_seen_at",),
    "warehouse.entities": ("observed_at",),
}
