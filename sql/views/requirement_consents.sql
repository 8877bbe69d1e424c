-- depends: consents
create view analytics.requirement_consents as
select *
from analytics.consents
where not is_item;

comment on view analytics.requirement_consents is
    'The register of consents, one row per activity and requirement only: count these. analytics.consents has requirements and items together.';
