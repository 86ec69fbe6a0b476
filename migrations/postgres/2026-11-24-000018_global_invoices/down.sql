DROP INDEX orders_by_payment;
DROP TABLE global_settings;
