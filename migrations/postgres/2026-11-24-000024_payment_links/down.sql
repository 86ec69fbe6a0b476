DROP INDEX payments_by_link;
ALTER TABLE payments DROP COLUMN link_id;
DROP TABLE payment_links;
