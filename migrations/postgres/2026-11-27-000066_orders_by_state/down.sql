DROP INDEX orders_refunded;
DROP INDEX orders_free;
DROP INDEX orders_unpaid;
DROP INDEX orders_by_fulfillment;
