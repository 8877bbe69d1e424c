-- After a restore nothing is sent until a person says so (`pipeline authorize confirm-restore`). Calls that were under
-- way may have had an effect.
update warehouse.authorization_requests set
    state = 'unknown',
    answered_at = coalesce(answered_at, sent_at),
    next_look_at = now()
where state = 'sending';

insert into sync.service_facts (fact, value, learned_at)
values ('restore_unconfirmed', 'nothing is sent', now())
on conflict (fact) do nothing
