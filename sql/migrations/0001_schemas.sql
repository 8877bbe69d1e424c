-- The four schemas of the warehouse contract.
create schema warehouse;
comment on schema warehouse is
    'The mirrored activities, normalized. Column names are the service''s own field names; instants are timestamptz.';

create schema analytics;
comment on schema analytics is
    'Views for analysts over schema warehouse, and the labels of the service''s codes.';

create schema landing;
comment on schema landing is
    'Responses as received, every distinct version. Holds personal data: for the pipeline''s owner only.';

-- Schema sync is made before the first migration, because the record of applied migrations lives in it.
comment on schema sync is
    'How the mirror came to be: run history, coverage per day, the per-activity ledger, quarantine.';
