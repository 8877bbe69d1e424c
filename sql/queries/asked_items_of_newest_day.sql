-- Which items were requested on the newest day?
select item.code, label.label, count(*) as asked
from analytics.activities as activity
inner join warehouse.requirement_items as item
    on item.activity_id = activity.id and item.disposition = 'requested'
left join analytics.codes as label on label.kind = 'item' and label.code = item.code
where activity.day = (select newest_day from analytics.freshness)
group by 1, 2
order by 3 desc, 1
limit 10
