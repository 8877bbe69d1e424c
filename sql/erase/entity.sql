-- The counterpart's row keeps what is no personal field, and the digest of what was observed.
update warehouse.entities set
    name = null,
    avatar = null
where id = %(entity)s::uuid and (name is not null or avatar is not null)
