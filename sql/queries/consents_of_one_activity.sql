-- What was asked and given in one activity, and until when may it be read? (Here: one of the oldest day.)
select
    consent.direction, consent.code, consent.item_code, consent.decision, consent.valid_from, consent.valid_to
from analytics.consents as consent
where consent.activity_id = (
    select activity_id
    from analytics.activities
    where created_day = (select covered_from from analytics.freshness) and outcome = 'accepted'
    order by created_at
    limit 1
)
order by consent.requirement_position, consent.item_position nulls first, consent.listed_in
