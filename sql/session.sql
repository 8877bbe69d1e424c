-- The settings of every connection. Whatever a role, a database or an environment variable sets, we and psycopg read
-- and write in these forms. Set on the connection, not when it starts: poolers refuse to pass on options.
-- Left as they are: limits (statement_timeout, ...), costs of plans, and default_transaction_read_only, by which an
-- administrator keeps writers out.
set client_encoding = 'UTF8';
set datestyle = 'ISO, MDY';
set intervalstyle = 'postgres';
set timezone = 'UTC';
set bytea_output = 'hex';
set extra_float_digits = 1;
set standard_conforming_strings = on;
set array_nulls = on;
set quote_all_identifiers = off;
set search_path = pg_catalog;
set default_transaction_isolation = 'read committed';
set client_min_messages = 'warning';
-- What we write is not altered by hand: the triggers of migration 0060 leave it alone.
set sync.loading = 'on';
-- An error would look like a lost connection.
set exit_on_error = off;
-- A run's lock is held by a session that waits for the run's end.
set idle_session_timeout = 0;
-- With it the load's short statements take five times as long.
set jit = off;
