ALTER TABLE order_returns DROP COLUMN unshipped;
DELETE FROM price_list_items WHERE EXISTS (SELECT 1 FROM price_lists l WHERE l.account_id = price_list_items.account_id
    AND l.id = price_list_items.list_id AND l.deleted_at IS NOT NULL);
DELETE FROM price_lists WHERE deleted_at IS NOT NULL;
ALTER TABLE price_lists DROP COLUMN deleted_at;
