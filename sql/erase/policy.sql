-- Records what happens to values that expired.
update sync.privacy set expired_values = %(policy)s, set_at = now()
where expired_values <> %(policy)s
