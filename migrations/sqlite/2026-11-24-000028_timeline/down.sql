DROP INDEX events_by_entity;
