-- Codes that the service sends and that have no label yet.
create view analytics.unlabelled_codes as
select seen.kind, seen.value as code, seen.first_seen_at, seen.sample_activity_id
from sync.unknown_values as seen
where seen.kind not in ('field', 'list field')
    and not exists (
        select from analytics.codes as known
        where known.kind = seen.kind and known.code = seen.value
    );

comment on view analytics.unlabelled_codes is
    'Codes seen in responses without a label in analytics.codes. To label one, insert it there.';
comment on column analytics.unlabelled_codes.kind is 'Kind of code, as in analytics.codes.';
comment on column analytics.unlabelled_codes.code is 'The code as the service sent it.';
comment on column analytics.unlabelled_codes.first_seen_at is 'When it was first seen.';
comment on column analytics.unlabelled_codes.sample_activity_id is 'An activity that has it.';
