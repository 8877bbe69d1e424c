-- Details are stored as they come. What is in doubt about them stands in the ledger.
alter table sync.activity_ledger
    drop column odd,
    drop column odd_run,
    add column discrepancy text,
    add column doubted bytea,
    add column discrepancy_since timestamptz,
    add column discrepancy_settled_at timestamptz;

create index activity_ledger_discrepancy on sync.activity_ledger (discrepancy_settled_at)
where discrepancy is not null;

create table sync.habits (
    discrepancy text primary key,
    suspected_at timestamptz not null,
    confirmed_at timestamptz
);
