ALTER TABLE order_items DROP COLUMN removed;
DROP TABLE shipment_items;
DROP TABLE shipments;
