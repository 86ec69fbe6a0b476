//! What the service is measured against: the fastest way known to do the same work here.

pub(crate) mod bare_posts;
pub(crate) mod bulk_load;
pub(crate) mod openssl;
pub(crate) mod pgbench;
pub(crate) mod sqlite_rows;
pub(crate) mod static_answer;

/// Products that orders are placed on, here and in the service.
pub(crate) const ORDERED_PRODUCTS: u32 = 1_000;
