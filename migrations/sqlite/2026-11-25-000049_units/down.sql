ALTER TABLE accounts DROP COLUMN scale_codes;
ALTER TABLE count_lines DROP COLUMN quantity_decimals;
ALTER TABLE transfer_lines DROP COLUMN quantity_decimals;
ALTER TABLE shipment_items DROP COLUMN quantity_decimals;
ALTER TABLE products DROP COLUMN quantity_decimals;
ALTER TABLE products DROP COLUMN unit;
