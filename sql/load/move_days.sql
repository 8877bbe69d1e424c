-- The zone in which days are cut has changed: each activity moves to the day of its creation there. One
-- whose creation nobody knows stays where it was guessed to be.
update sync.activity_ledger as ledger set
    day = (activity.created_at at time zone %(zone)s)::date
from warehouse.activities as activity
where activity.id = ledger.activity_id
    and ledger.day <> (activity.created_at at time zone %(zone)s)::date
