DROP TABLE order_returns;
ALTER TABLE orders DROP COLUMN returned_total;
ALTER TABLE order_items DROP COLUMN returned;
