"""Everything that speaks SQL to PostgreSQL; knows nothing of the service and of Dagster."""
