-- depends: 0018_consents
-- Which version made a run, and how much it removed because of its age.

alter table sync.runs
    add column pruned bigint not null default 0,
    add column package_version text,
    add column schema_version text;
