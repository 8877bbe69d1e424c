-- depends: consents
create view analytics.item_consents as
select *
from analytics.consents
where is_item;

comment on view analytics.item_consents is
    'The register of consents, one row per activity and item only: count these. analytics.consents has requirements and items together.';
