-- A view that offers a table of warehouse again, without what is sensitive.
create view analytics.{name} as
select {columns} from warehouse.{name};
comment on view analytics.{name} is 'warehouse.{name} as it is stored, without what is sensitive. To count, use the facts (activities, requirements, items, status_changes), counterparts and authorization_outcomes: they also have what the service shows no longer.';
