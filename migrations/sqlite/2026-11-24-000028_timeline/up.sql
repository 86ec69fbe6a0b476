-- What happened to a thing. That an order was placed is known from the order itself: placing one writes nothing here.
CREATE INDEX events_by_entity ON events (account_id, entity_id, id) WHERE name <> 'order.created';
