-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Categories: a tree. product_categories finds the products that are directly in one; products.category_ids is the same by
-- product, with blanks between them, so that reading a product takes no further query.
CREATE TABLE categories (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    parent_id  TEXT COLLATE "C",
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE TABLE product_categories (
    account_id  TEXT COLLATE "C" NOT NULL,
    category_id TEXT COLLATE "C" NOT NULL,
    product_id  TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, category_id, product_id)
);

ALTER TABLE products ADD COLUMN category_ids TEXT;
