ALTER INDEX products_by_term RESET (gin_pending_list_limit);
ALTER INDEX customers_by_term RESET (gin_pending_list_limit);
ALTER INDEX order_blocks_by_term RESET (gin_pending_list_limit);
ALTER INDEX leads_by_term RESET (gin_pending_list_limit);
ALTER INDEX invoice_facts_by_term RESET (gin_pending_list_limit);
