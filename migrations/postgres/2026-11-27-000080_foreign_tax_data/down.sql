ALTER TABLE customers DROP COLUMN foreign_tax_id;
ALTER TABLE customers DROP COLUMN tax_residence;
