-- What a resource is called in the system that it comes from.
ALTER TABLE products ADD COLUMN external_id TEXT COLLATE "C";
ALTER TABLE customers ADD COLUMN external_id TEXT COLLATE "C";
ALTER TABLE orders ADD COLUMN external_id TEXT COLLATE "C";
ALTER TABLE leads ADD COLUMN external_id TEXT COLLATE "C";
CREATE UNIQUE INDEX products_by_external_id ON products (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX customers_by_external_id ON customers (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX orders_by_external_id ON orders (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX leads_by_external_id ON leads (account_id, external_id) WHERE external_id IS NOT NULL;
