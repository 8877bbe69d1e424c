create view analytics.deprecated_requirements as
select activity_id, disposition, position, code, type, category
from warehouse.requirements;
comment on view analytics.deprecated_requirements is 'Deprecated: until now analytics.requirements. Use analytics.requirements, or warehouse.requirements.';
