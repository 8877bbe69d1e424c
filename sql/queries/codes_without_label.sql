-- Which codes of the service have no label yet?
select kind, code
from (
    select 'activity_type' as kind, activity_type as code from analytics.activities where activity_type_label is null
    union
    select 'status', status from analytics.activities where status_label is null
    union
    select 'requirement', requirement_code from analytics.requirements where requirement_label is null
    union
    select 'item', item_code from analytics.items where item_label is null
) as found
where code is not null
order by 1, 2
