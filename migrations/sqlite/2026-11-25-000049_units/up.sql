-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- With how many decimals quantities of a product are kept: 0 or 3. All that counts it counts its smallest unit, which is a piece or
-- a thousandth of a unit. An item of an order keeps its decimals in terms; what was shipped, sent or counted has them
-- beside its quantities, which stay what they were if the product changes.
-- units of stock_receipts adds up smallest units, whatever they are of: it is compared with the ledger and told to nobody.
ALTER TABLE products ADD COLUMN unit TEXT;
ALTER TABLE products ADD COLUMN quantity_decimals INTEGER NOT NULL DEFAULT 0;

ALTER TABLE shipment_items ADD COLUMN quantity_decimals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE transfer_lines ADD COLUMN quantity_decimals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE count_lines ADD COLUMN quantity_decimals INTEGER NOT NULL DEFAULT 0;

-- The barcodes of the account's scales, with blanks between them.
ALTER TABLE accounts ADD COLUMN scale_codes TEXT;
