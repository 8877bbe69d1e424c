-- What is kept of an erased person's number.
create or replace function sync.phone_digest(number text) returns bytea
language sql
stable
as $$ select sha256(phone_key || convert_to(number, 'UTF8')) from sync.privacy $$;
