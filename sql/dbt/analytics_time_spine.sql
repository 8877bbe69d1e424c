select day from {{ source('analytics', 'days') }}
