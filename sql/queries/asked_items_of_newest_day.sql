-- Which items were requested on the newest day?
select item_code, item_label, count(*) as asked
from analytics.items
where is_asked and created_day = (select newest_day from analytics.freshness)
group by 1, 2
order by 3 desc, 1
limit 10
