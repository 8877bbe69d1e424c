-- What analysts can do apart from reading relations, which follows from sql/sensitivity.yaml
-- (relation_grants.sql): schemas to look into, and the functions listed here. Older grants of ours are
-- revoked first, in the same transaction. What others made keeps its grants.

revoke all on schema warehouse, analytics, sync, landing from analyst, analyst_personal;
revoke all on all functions in schema warehouse, sync, landing from public, analyst, analyst_personal;
revoke all on function
analytics.may_see_personal(),
analytics.activity_as_of(timestamptz),
analytics.activity_as_of(timestamptz, uuid),
analytics.consents_on(timestamptz)
from public, analyst, analyst_personal;

grant usage on schema warehouse, analytics, sync to analyst;
grant execute on function
analytics.may_see_personal(),
analytics.activity_as_of(timestamptz),
analytics.activity_as_of(timestamptz, uuid),
analytics.consents_on(timestamptz)
to analyst;

-- analytics.entity_history calls them. Without the schema nobody can call them by name.
grant execute on function landing.read_json(bytea), landing.read_uuid(text) to analyst;

-- sync.coverage calls it, in the name of whoever reads that view, or one of another company's that reads it. It
-- tells no more than the view.
grant execute on function sync.coverage_of(date, date) to public;

-- Views of analytics call them for whoever reads. They tell nothing but what they are given.
grant execute on function sync.at_most_9999(timestamptz), sync.local_time(timestamptz, text) to analyst;
