DROP INDEX invoices_without_moment;
