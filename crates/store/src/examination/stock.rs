//! What must hold of stock at every moment.

/// The promises of open orders, by product, variant and warehouse.
macro_rules! promised {
    () => {
        "SELECT i.account_id, i.product_id, i.variant_id, \
         COALESCE(a.warehouse_id, REPLACE(i.account_id, 'acc_', 'whs_')) AS warehouse_id, \
         SUM(COALESCE(a.quantity, i.quantity - i.removed) - COALESCE(h.quantity, 0)) AS quantity \
         FROM orders o JOIN order_items i ON i.account_id = o.account_id AND i.order_id = o.id \
         LEFT JOIN order_allocations a ON a.account_id = i.account_id AND a.order_id = i.order_id AND a.line = i.line \
         LEFT JOIN (SELECT s.account_id, s.order_id, s.warehouse_id, x.line, SUM(x.quantity) AS quantity FROM shipments s \
         JOIN shipment_items x ON x.account_id = s.account_id AND x.shipment_id = s.id WHERE s.status <> 'cancelled' \
         GROUP BY s.account_id, s.order_id, s.warehouse_id, x.line) h ON h.account_id = i.account_id AND h.order_id = i.order_id \
         AND h.line = i.line AND h.warehouse_id = COALESCE(a.warehouse_id, REPLACE(i.account_id, 'acc_', 'whs_')) \
         WHERE o.commits AND o.status IN ('pending', 'paid') \
         GROUP BY i.account_id, i.product_id, i.variant_id, COALESCE(a.warehouse_id, REPLACE(i.account_id, 'acc_', 'whs_'))"
    };
}

/// Queries for what is wrong, one text `line` for each case.
pub const STOCK_AUDITS: &[&str] = &[
    "SELECT 'stock of ' || l.product_id || ' ' || l.variant_id || ' in ' || l.warehouse_id || ' is not the sum of its ledger' AS line \
     FROM stock_levels l LEFT JOIN (SELECT account_id, product_id, variant_id, warehouse_id, SUM(delta) AS delta, \
     SUM(committed_delta) AS committed FROM stock_movements GROUP BY account_id, product_id, variant_id, warehouse_id) m \
     ON m.account_id = l.account_id AND m.product_id = l.product_id AND m.variant_id = l.variant_id \
     AND m.warehouse_id = l.warehouse_id \
     WHERE l.quantity <> COALESCE(m.delta, 0) OR l.committed <> COALESCE(m.committed, 0)",
    "SELECT 'the ledger of ' || m.product_id || ' ' || m.variant_id || ' in ' || m.warehouse_id || ' has no stock' AS line \
     FROM stock_movements m LEFT JOIN stock_levels l ON l.account_id = m.account_id AND l.product_id = m.product_id \
     AND l.variant_id = m.variant_id AND l.warehouse_id = m.warehouse_id WHERE l.account_id IS NULL \
     GROUP BY m.product_id, m.variant_id, m.warehouse_id HAVING SUM(m.delta) <> 0 OR SUM(m.committed_delta) <> 0",
    "SELECT 'what other warehouses have of ' || l.product_id || ' ' || l.variant_id || ' is off' AS line FROM stock_levels l \
     WHERE l.elsewhere <> CASE WHEN l.warehouse_id = REPLACE(l.account_id, 'acc_', 'whs_') \
     THEN (SELECT COALESCE(SUM(o.quantity), 0) FROM stock_levels o WHERE o.account_id = l.account_id \
     AND o.product_id = l.product_id AND o.variant_id = l.variant_id AND o.warehouse_id <> l.warehouse_id AND o.sellable) \
     ELSE 0 END",
    "SELECT 'what counts as low of ' || l.product_id || ' ' || l.variant_id || ' in ' || l.warehouse_id || ' is off' AS line \
     FROM stock_levels l JOIN accounts a ON a.id = l.account_id \
     LEFT JOIN products p ON p.account_id = l.account_id AND p.id = l.product_id AND p.deleted_at IS NULL \
     LEFT JOIN variants v ON v.account_id = l.account_id AND v.product_id = l.product_id AND v.id = l.variant_id \
     WHERE COALESCE(l.low_below, -1) <> CASE WHEN l.warehouse_id = REPLACE(l.account_id, 'acc_', 'whs_') AND p.id IS NOT NULL \
     AND (l.variant_id = '' OR v.id IS NOT NULL) THEN COALESCE(p.low_stock_threshold, \
     a.low_stock_threshold * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END) ELSE -1 END \
     OR l.is_low <> COALESCE(l.quantity + l.elsewhere < l.low_below, FALSE)",
    concat!(
        "SELECT 'what is committed of ' || l.product_id || ' ' || l.variant_id || ' in ' || l.warehouse_id \
         || ' is not what open orders are promised' AS line FROM stock_levels l LEFT JOIN (",
        promised!(),
        ") p ON p.account_id = l.account_id AND p.product_id = l.product_id AND p.variant_id = l.variant_id \
         AND p.warehouse_id = l.warehouse_id WHERE l.committed <> COALESCE(p.quantity, 0)"
    ),
    concat!(
        "SELECT 'open orders are promised ' || p.product_id || ' ' || p.variant_id || ' from nowhere' AS line FROM (",
        promised!(),
        ") p LEFT JOIN stock_levels l ON l.account_id = p.account_id AND l.product_id = p.product_id \
         AND l.variant_id = p.variant_id AND l.warehouse_id = p.warehouse_id WHERE l.account_id IS NULL AND p.quantity <> 0"
    ),
    "SELECT 'what is in transit of ' || COALESCE(l.product_id, t.product_id) || ' is not what transfers say' AS line FROM \
     (SELECT account_id, product_id, variant_id, quantity FROM stock_levels WHERE warehouse_id LIKE 'wht~_%' ESCAPE '~' AND quantity <> 0) l \
     FULL JOIN (SELECT account_id, product_id, variant_id, SUM(in_transit) AS quantity FROM transfer_lines WHERE in_transit > 0 \
     GROUP BY account_id, product_id, variant_id) t ON t.account_id = l.account_id AND t.product_id = l.product_id \
     AND t.variant_id = l.variant_id WHERE COALESCE(l.quantity, 0) <> COALESCE(t.quantity, 0)",
    "SELECT 'line ' || i.line || ' of transfer ' || i.transfer_id || ' does not account for what was sent' AS line FROM transfer_lines i \
     JOIN transfers t ON t.account_id = i.account_id AND t.id = i.transfer_id \
     WHERE CASE WHEN t.dispatched_at IS NULL THEN 0 ELSE i.quantity END <> i.received + i.damaged + i.lost + i.returned + i.in_transit \
     OR (i.in_transit > 0 AND t.status <> 'in_transit')",
    "SELECT 'count ' || c.id || ' does not say how many of its lines were counted' AS line FROM stock_counts c \
     LEFT JOIN (SELECT account_id, count_id, COUNT(*) AS lines, COUNT(counted) AS counted, COUNT(posted) AS posted FROM count_lines \
     GROUP BY account_id, count_id) l ON l.account_id = c.account_id AND l.count_id = c.id \
     WHERE c.line_count <> COALESCE(l.lines, 0) OR c.counted_count <> COALESCE(l.counted, 0) OR c.posted_count <> COALESCE(l.posted, 0)",
    "SELECT 'count ' || l.count_id || ' has not moved what it says' AS line FROM count_lines l \
     LEFT JOIN stock_movements m ON m.account_id = l.account_id AND m.product_id = l.product_id AND m.variant_id = l.variant_id \
     AND m.reference = l.count_id AND m.reason = 'count' WHERE COALESCE(l.posted, 0) <> COALESCE(m.delta, 0)",
    "SELECT 'the average cost of ' || l.product_id || ' ' || l.variant_id || ' is not what it was last set to' AS line \
     FROM stock_levels l LEFT JOIN (SELECT account_id, product_id, variant_id, MAX(id) AS id FROM cost_changes \
     GROUP BY account_id, product_id, variant_id) c ON c.account_id = l.account_id AND c.product_id = l.product_id \
     AND c.variant_id = l.variant_id LEFT JOIN cost_changes d ON d.account_id = c.account_id AND d.id = c.id \
     WHERE COALESCE(l.average_cost, -1) <> CASE WHEN l.warehouse_id = REPLACE(l.account_id, 'acc_', 'whs_') \
     THEN COALESCE(d.cost_after, -1) ELSE -1 END",
    "SELECT 'cost ' || c.id || ' does not follow the one before' AS line FROM (SELECT id, cost_before, \
     LAG(cost_after) OVER (PARTITION BY account_id, product_id, variant_id ORDER BY id) AS was FROM cost_changes) c \
     WHERE COALESCE(c.cost_before, -1) <> COALESCE(c.was, -1)",
    "SELECT 'the average cost of ' || c.product_id || ' ' || c.variant_id || ' is in another currency than its product' AS line \
     FROM cost_changes c JOIN (SELECT account_id, product_id, variant_id, MAX(id) AS id FROM cost_changes \
     GROUP BY account_id, product_id, variant_id) l ON l.account_id = c.account_id AND l.id = c.id \
     JOIN products p ON p.account_id = c.account_id AND p.id = c.product_id \
     LEFT JOIN variants v ON v.account_id = c.account_id AND v.product_id = c.product_id AND v.id = c.variant_id \
     WHERE c.cost_after IS NOT NULL AND c.currency <> p.currency AND (c.variant_id = '' OR v.id IS NOT NULL)",
    "SELECT 'receipt ' || r.id || ' has not moved what it says' AS line FROM stock_receipts r \
     LEFT JOIN (SELECT account_id, reference, SUM(CASE WHEN reason = 'receipt' THEN delta ELSE 0 END) AS received, \
     SUM(CASE WHEN reason = 'receipt' THEN 0 ELSE delta END) AS cancelled FROM stock_movements \
     WHERE reason IN ('receipt', 'receipt_cancelled') GROUP BY account_id, reference) m \
     ON m.account_id = r.account_id AND m.reference = r.id WHERE COALESCE(m.received, 0) <> r.units \
     OR COALESCE(m.cancelled, 0) <> CASE WHEN r.status = 'received' THEN 0 ELSE -r.units END",
    "SELECT 'line ' || a.line || ' of order ' || a.order_id || ' is not allocated as it is' AS line FROM \
     (SELECT account_id, order_id, line, SUM(quantity) AS quantity FROM order_allocations GROUP BY account_id, order_id, line) a \
     JOIN orders o ON o.account_id = a.account_id AND o.id = a.order_id \
     JOIN order_items i ON i.account_id = a.account_id AND i.order_id = a.order_id AND i.line = a.line \
     WHERE a.quantity <> i.quantity - i.removed",
    "SELECT 'line ' || i.line || ' of order ' || i.order_id || ' was shipped beyond what was ordered' AS line FROM order_items i \
     JOIN (SELECT s.account_id, s.order_id, x.line, SUM(x.quantity) AS quantity FROM shipments s \
     JOIN shipment_items x ON x.account_id = s.account_id AND x.shipment_id = s.id WHERE s.status <> 'cancelled' \
     GROUP BY s.account_id, s.order_id, x.line) h ON h.account_id = i.account_id AND h.order_id = i.order_id AND h.line = i.line \
     WHERE h.quantity > i.quantity - i.removed OR i.returned - i.removed > h.quantity",
    "SELECT 'order ' || o.id || ' is ' || o.fulfillment_status || ', though a part of it is on its way' AS line FROM orders o \
     WHERE o.status IN ('pending', 'paid') AND o.fulfillment_status <> 'partially_fulfilled' AND EXISTS (SELECT 1 FROM shipments s \
     WHERE s.account_id = o.account_id AND s.order_id = o.id AND s.status <> 'cancelled')",
    "SELECT 'line ' || i.line || ' of order ' || i.order_id || ' came back before it was shipped' AS line FROM order_items i \
     JOIN orders o ON o.account_id = i.account_id AND o.id = i.order_id \
     WHERE i.returned <> i.removed AND o.status IN ('pending', 'paid') AND NOT EXISTS (SELECT 1 FROM shipments s \
     WHERE s.account_id = o.account_id AND s.order_id = o.id AND s.status <> 'cancelled')",
    "SELECT 'order ' || e.entity_id || ' was told to be shipped more than once' AS line FROM events e WHERE e.name = 'order.shipped' \
     GROUP BY e.account_id, e.entity_id HAVING COUNT(*) > 1",
];
