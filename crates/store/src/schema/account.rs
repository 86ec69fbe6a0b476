//! Accounts, their keys and links.

diesel::table! {
    accounts (id) {
        id -> Text,
        name -> Text,
        low_stock_threshold -> BigInt,
        created_at -> BigInt,
        test_of -> Nullable<Text>,
        allocation -> Text,
        default_warehouse_id -> Nullable<Text>,
        commits_stock -> Bool,
        stock_version -> BigInt,
        price_lists -> BigInt,
        scale_codes -> Nullable<Text>,
        slug -> Nullable<Text>,
    }
}

diesel::table! {
    api_keys (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        digest -> Text,
        last4 -> Text,
        scopes -> Text,
        rate_per_hour -> Nullable<BigInt>,
        created_at -> BigInt,
        expires_at -> Nullable<BigInt>,
        revoked_at -> Nullable<BigInt>,
        may_approve -> Bool,
        previous_digest -> Nullable<Text>,
        previous_until -> Nullable<BigInt>,
        last_used_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    links (account_id, kind, subject) {
        account_id -> Text,
        kind -> Text,
        subject -> Text,
        digest -> Text,
        token -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}
