-- The counterpart's row keeps the fields that are not personal, and the digest of the original form.
update warehouse.entities set
    name = null,
    avatar = null
where id = %(entity)s::uuid and (name is not null or avatar is not null)
