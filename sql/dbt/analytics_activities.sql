select * from {{ source('analytics', 'activities') }}
