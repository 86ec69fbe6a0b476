//! The engine's own tables.
// The macro writes items without documentation.
#![allow(missing_docs)]

diesel::table! {
    idempotency_answers (account_id, operation, key) {
        account_id -> Text,
        operation -> Text,
        key -> Text,
        digest -> Text,
        answer -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    counters (account_id, name) {
        account_id -> Text,
        name -> Text,
        value -> BigInt,
    }
}

diesel::table! {
    master_key_canary (id) {
        id -> Text,
        secret -> Text,
    }
}
