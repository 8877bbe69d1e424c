-- depends: 0006_verifications
-- What the views of analytics stand on: more said of each code, the configured zone, the history of
-- scores, indexes for what analysts filter by, and a record of each view's own version.

alter table analytics.codes
    add column stage text check (stage in ('pending', 'accepted', 'declined', 'canceled')),
    add column shares boolean,
    add column lowest_score integer,
    add column highest_score integer;
comment on table analytics.codes is
    'Labels of codes and enumerations, joined as labels, never as constraints. Codes seen but not labelled: analytics.unlabelled_codes.';
comment on column analytics.codes.stage is
    'For a status: how far the activity came: pending (not answered yet), accepted (also when completed or expired since), declined or canceled.';
comment on column analytics.codes.shares is
    'For a status: whether shared data can still be read, until expires_at.';
comment on column analytics.codes.lowest_score is 'For a scoring level: the lowest score it stands for.';
comment on column analytics.codes.highest_score is 'For a scoring level: the highest score it stands for.';

update analytics.codes set stage = said.stage, shares = said.shares
from (
    values
        ('SENT', 'pending', false),
        ('ACTION_REQUIRED', 'pending', false),
        ('ACCEPTED', 'accepted', true),
        ('COMPLETED', 'accepted', true),
        ('EXPIRED', 'accepted', false),
        ('DECLINED', 'declined', false),
        ('CANCELED', 'canceled', false)
) as said (code, stage, shares)
where codes.kind = 'status' and codes.code = said.code;

update analytics.codes set lowest_score = said.lowest, highest_score = said.highest
from (
    values
        ('POOR', 300, 499),
        ('FAIR', 500, 649),
        ('GOOD', 650, 749),
        ('EXCELLENT', 750, 850),
        ('EXCELENT', 750, 850)
) as said (code, lowest, highest)
where codes.kind = 'scoring_level' and codes.code = said.code;

comment on table sync.service_facts is
    'What the service leaves undocumented and runs found out, and in which zone the runs cut days.';
comment on column sync.service_facts.fact is
    'day_zone (in which zone the service cuts from/to days), to_day (whether to includes its day), page_size (largest page granted), configured_zone (ACTIVITIES_TIMEZONE of the last run: the zone of every day here).';

-- A counterpart's row holds its latest score only; the ones before it are kept here.
create table warehouse.entity_scores (
    entity_id uuid not null references warehouse.entities (id) on delete cascade,
    observed_at timestamptz not null,
    score numeric,
    scoring_level text,
    primary key (entity_id, observed_at)
);
comment on table warehouse.entity_scores is
    'Every score that a counterpart was seen with, a row where it differs from the one before. Ours: the service tells only the latest.';
comment on column warehouse.entity_scores.entity_id is 'The counterpart.';
comment on column warehouse.entity_scores.observed_at is 'When the first response that carried this score was received.';
comment on column warehouse.entity_scores.score is 'Score, usually 300 to 850 (entity.score).';
comment on column warehouse.entity_scores.scoring_level is 'Level of the score (entity.scoring_level). Open list.';

insert into warehouse.entity_scores (entity_id, observed_at, score, scoring_level)
select id, observed_at, score, scoring_level
from warehouse.entities
where score is not null or scoring_level is not null;

create function warehouse.keep_score() returns trigger
language plpgsql
as $$
begin
    insert into warehouse.entity_scores (entity_id, observed_at, score, scoring_level)
    select written.id, written.observed_at, written.score, written.scoring_level
    from written
    left join lateral (
        select kept.score, kept.scoring_level
        from warehouse.entity_scores as kept
        where kept.entity_id = written.id
        order by kept.observed_at desc
        limit 1
    ) as latest on true
    where (written.score, written.scoring_level)
        is distinct from (latest.score, latest.scoring_level)
    on conflict (entity_id, observed_at) do update set
        score = excluded.score,
        scoring_level = excluded.scoring_level;
    return null;
end
$$;
comment on function warehouse.keep_score is 'Keeps the scores of the counterparts just written in warehouse.entity_scores.';

create trigger keep_score_of_new
after insert on warehouse.entities
referencing new table as written
for each statement execute function warehouse.keep_score();

create trigger keep_score_of_changed
after update on warehouse.entities
referencing new table as written
for each statement execute function warehouse.keep_score();

create index activities_valid_until on warehouse.activities (valid_until);
create index activities_expires_at on warehouse.activities (expires_at) where expires_at is not null;

drop table sync.view_versions;
create table sync.view_versions (
    name text primary key,
    digest text not null,
    applied_at timestamptz not null default now(),
    refreshed_at timestamptz
);
comment on table sync.view_versions is 'From which version of its file in sql/views each view of analytics was made.';
comment on column sync.view_versions.name is 'The view, and its file''s name.';
comment on column sync.view_versions.digest is 'Digest of the file.';
comment on column sync.view_versions.applied_at is 'When it was made.';
comment on column sync.view_versions.refreshed_at is 'For a materialised view: as of when its rows are; null: a plain view, always current.';

create function analytics.may_see_personal() returns boolean
language sql
stable
set search_path = pg_catalog
as $$
    select exists (
        select from pg_roles as role
        where role.rolname = 'analyst_personal' and pg_has_role(current_user, role.oid, 'member')
    ) or exists (
        select from pg_namespace as schema
        where schema.nspname = 'warehouse' and pg_has_role(current_user, schema.nspowner, 'member')
    )
$$;
comment on function analytics.may_see_personal is
    'Whether the current role may see personal values: the owner of schema warehouse, and members of analyst_personal.';
