-- A view that offers a table of warehouse again, without what is sensitive.
create view analytics.{name} as
select {columns} from warehouse.{name};
comment on view analytics.{name} is 'warehouse.{name}, without what is sensitive.';
