"""The schema: migrations, views and their refresh, roles, how sensitive each column is."""
