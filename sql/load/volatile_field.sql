-- First sight of a field that changes with each answer; later ones change nothing.
insert into sync.volatile_fields (source, path, first_seen_at)
values (%s, %s, now())
on conflict (source, path) do nothing
