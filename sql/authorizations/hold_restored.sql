-- After a restore nothing is sent until a person says so (`pipeline authorize confirm-restore`).
insert into sync.service_facts (fact, value, learned_at)
values ('restore_unconfirmed', 'nothing is sent', now())
on conflict (fact) do nothing
