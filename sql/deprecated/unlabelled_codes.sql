-- Codes that the service sends and that have no label yet.
create view analytics.unlabelled_codes as
select seen.kind, seen.value as code, seen.first_seen_at, seen.sample_activity_id
from sync.unknown_values as seen
where seen.kind not in ('field', 'list field')
    and not exists (
        select from analytics.codes as known
        where known.kind = seen.kind and known.code = seen.value
    );
comment on view analytics.unlabelled_codes is 'Deprecated: look for null labels in the facts.';
