-- Empties sensitive columns of rows; returns the key of each row that held something in them.
update {table} set {emptied}
where {key} = any(%(ids)s::uuid[]) and num_nonnulls({columns}) > 0
returning {key}::text
