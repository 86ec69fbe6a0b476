DELETE FROM sqlite_stat1 WHERE idx IN ('orders_by_fulfillment', 'orders_unpaid', 'orders_free', 'orders_refunded');
DROP INDEX orders_refunded;
DROP INDEX orders_free;
DROP INDEX orders_unpaid;
DROP INDEX orders_by_fulfillment;
