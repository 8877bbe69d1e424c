-- Fields that change with each answer and mean nothing, found out by observation.

create table sync.volatile_fields (
    source text not null check (source in ('list', 'details')),
    path text not null,
    first_seen_at timestamptz not null,
    primary key (source, path)
);
