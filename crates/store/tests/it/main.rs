//! Tests of the store by itself, on both databases. What callers see is tested over HTTP.

mod batches;
mod schema;
