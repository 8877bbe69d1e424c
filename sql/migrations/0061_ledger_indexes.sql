-- depends: 0060_facts_in_rows
-- The views of the ledger read whole days, so what they need no longer stands in an index, and two indexes
-- serve nobody.
drop index sync.activity_ledger_deadline;
drop index sync.activity_ledger_unlisted;
create index activity_ledger_days on sync.activity_ledger (day);
drop index sync.activity_ledger_day;
alter index sync.activity_ledger_days rename to activity_ledger_day;
