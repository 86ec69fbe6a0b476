ALTER TABLE orders DROP COLUMN amount_withheld;
