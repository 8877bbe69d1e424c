-- Which codes of the service have no label yet?
select kind, code
from analytics.unlabelled_codes
order by 1, 2
