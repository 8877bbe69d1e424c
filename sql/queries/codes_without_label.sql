-- Which codes does the service use that nobody has put into words yet?
select kind, code
from analytics.unlabelled_codes
order by 1, 2
