select * from {{ source('analytics', 'requirements') }}
