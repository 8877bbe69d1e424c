select * from {{ source('analytics', 'items') }}
