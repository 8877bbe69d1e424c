-- depends: consents
create view analytics.requirement_answers as
select
    activity_id,
    created_day as day,
    activity_type,
    in_out_bound,
    direction,
    entity_id,
    code,
    is_item,
    item_code,
    requirement_type as type,
    category,
    listed_in,
    requirement_position,
    item_position,
    accepted_position,
    accepted_item,
    asked_at is not null as asked,
    valid_from is not null as given,
    decision,
    has_value
from analytics.consents;
comment on view analytics.requirement_answers is 'Deprecated: use analytics.requirements and analytics.items.';
