-- The schemas of a new warehouse. `sync` is there already: the record of applied files is in it.
create schema landing;
create schema warehouse;
create schema analytics;
