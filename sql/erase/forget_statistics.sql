-- Computes the planner's statistics again: the old ones would keep names and texts.
analyze warehouse.activities, warehouse.timeline_events, warehouse.entities, warehouse.entity_social_media,
warehouse.authorization_requests
