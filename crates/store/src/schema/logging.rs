//! What keys asked for.

diesel::table! {
    api_requests (account_id, id) {
        account_id -> Text,
        id -> Text,
        key_id -> Text,
        method -> Text,
        route -> Text,
        ids -> Nullable<Text>,
        status -> BigInt,
        code -> Nullable<Text>,
        micros -> BigInt,
        request_id -> Nullable<Text>,
        network -> Nullable<Text>,
        count -> BigInt,
        created_at -> BigInt,
    }
}
