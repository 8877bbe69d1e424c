select * from {{ source('analytics', 'counterparts') }}
