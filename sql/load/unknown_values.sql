-- First sight of a code or a field; later ones change nothing.
insert into sync.unknown_values (kind, value, sample_activity_id, first_seen_at)
values (%s, %s, %s, %s)
on conflict (kind, value) do nothing
