-- depends: 0005_codes
-- What samples said of the warehouse, and where unknown fields of list rows are told from those of details.

create table sync.verifications (
    run_id text primary key references sync.runs (run_id) on delete cascade,
    sampled bigint not null,
    compared bigint not null,
    stale bigint not null,
    refused bigint not null,
    failed bigint not null,
    share_low double precision not null,
    share_high double precision not null,
    finished_at timestamptz not null
);
create index verifications_finished_at on sync.verifications (finished_at desc);
comment on table sync.verifications is
    'Random samples of listed activities fetched again and compared with the warehouse: one row per completed verification.';
comment on column sync.verifications.run_id is 'The run, of kind verify.';
comment on column sync.verifications.sampled is 'Activities drawn: the number asked for, or all there were.';
comment on column sync.verifications.compared is 'Of these, answered with details that could be compared.';
comment on column sync.verifications.stale is 'Of the compared, those that the warehouse held otherwise; they were repaired.';
comment on column sync.verifications.refused is 'Of the sampled, answered 403 or 404; the next ordinary run settles them.';
comment on column sync.verifications.failed is 'Of the sampled, without an answer that could be read.';
comment on column sync.verifications.share_low is
    'Lower end of the 95 % Clopper-Pearson interval of the stale share, 0 to 1.';
comment on column sync.verifications.share_high is
    'Upper end of the 95 % Clopper-Pearson interval of the stale share, 0 to 1.';
comment on column sync.verifications.finished_at is 'When it was done.';

comment on column sync.unknown_values.kind is
    'Which list of values, as in analytics.codes; field: of a details response; list field: of a row of the list.';
