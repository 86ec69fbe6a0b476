-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- What was written last, by whichever account, every search reads row by row until its index takes it in, and whoever writes the row
-- at which it does waits. With 256 kB instead of 4 MB neither is long.
ALTER INDEX products_by_term SET (gin_pending_list_limit = 256);
ALTER INDEX customers_by_term SET (gin_pending_list_limit = 256);
ALTER INDEX order_blocks_by_term SET (gin_pending_list_limit = 256);
ALTER INDEX leads_by_term SET (gin_pending_list_limit = 256);
ALTER INDEX invoice_facts_by_term SET (gin_pending_list_limit = 256);
