DROP INDEX products_by_external_id;
DROP INDEX customers_by_external_id;
DROP INDEX orders_by_external_id;
DROP INDEX leads_by_external_id;
ALTER TABLE products DROP COLUMN external_id;
ALTER TABLE customers DROP COLUMN external_id;
ALTER TABLE orders DROP COLUMN external_id;
ALTER TABLE leads DROP COLUMN external_id;
