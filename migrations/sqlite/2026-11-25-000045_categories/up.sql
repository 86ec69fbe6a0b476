-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Categories: a tree. product_categories finds the products that are directly in one; products.category_ids is the same by
-- product, with blanks between them, so that reading a product takes no further query.
CREATE TABLE categories (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    parent_id  TEXT,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE product_categories (
    account_id  TEXT NOT NULL,
    category_id TEXT NOT NULL,
    product_id  TEXT NOT NULL,
    PRIMARY KEY (account_id, category_id, product_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE products ADD COLUMN category_ids TEXT;
