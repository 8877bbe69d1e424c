-- What the tables, columns and functions of schema analytics mean. `pipeline migrate` applies this file when it changed.

comment on schema analytics is
    'Views for analysts over schema warehouse, and labels of the service''s codes.';

comment on table analytics.codes is
    'Labels of codes and enumerations. Join them as labels; they constrain nothing. Codes seen without a label: sync.unknown_values.';
comment on column analytics.codes.kind is
    'Kind of code: activity_type, status, in_out_bound, entity_type, scoring_level, requirement_type, category, requirement, item or time_unit.';
comment on column analytics.codes.code is 'The code as the service sends it.';
comment on column analytics.codes.label is 'Meaning of the code in a few words.';
comment on column analytics.codes.parent_code is 'For an item: the code of its requirement.';
comment on column analytics.codes.final is
    'For a status: true when it ends the process. COMPLETED is final, although its data can be read until expires_at.';
comment on column analytics.codes.stage is
    'For a status: how far the activity came. pending: not answered yet. accepted: also when completed or expired since. declined. canceled.';
comment on column analytics.codes.shares is
    'For a status: true when shared data can still be read, until expires_at.';
comment on column analytics.codes.giver is
    'For an activity type: who gives what is shared in it: receiver (a request), sender (a share) or both (a swap).';
comment on column analytics.codes.lowest_score is 'For a scoring level: its lowest score.';
comment on column analytics.codes.highest_score is 'For a scoring level: its highest score.';

comment on function analytics.may_see_personal() is
    'True when the current role can see personal values: the owner of schema warehouse, and members of analyst_personal.';

comment on type analytics.known_activity is
    'A row of analytics.activity_as_of. source: details or list. known_from and known_to: how long this version was the newest. gone: true when the service was known not to offer the activity any more. The other fields are those of warehouse.activities.';

comment on function analytics.activity_as_of(at timestamp with time zone, activity uuid) is
    'One activity as we knew it at an instant, from the responses received until then. No row: not known yet.';

comment on function analytics.activity_as_of(at timestamp with time zone) is
    'Every activity that the service offered, as we knew it at an instant, from the responses received until then. Without what was gone by then, which the other form shows. Parses only what changed since then. For one activity use the other form, which is fast.';
