//! Events and their deliveries.

diesel::table! {
    events (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        entity_id -> Text,
        body -> Text,
        created_at -> BigInt,
        position -> BigInt,
        batch -> Nullable<Text>,
    }
}

diesel::table! {
    subscriptions (account_id, id) {
        account_id -> Text,
        id -> Text,
        url -> Text,
        events -> Text,
        description -> Nullable<Text>,
        secret -> Text,
        previous_secret -> Nullable<Text>,
        previous_secret_until -> Nullable<BigInt>,
        disabled_at -> Nullable<BigInt>,
        disabled_reason -> Nullable<Text>,
        consecutive_failures -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    deliveries (account_id, subscription_id, id) {
        account_id -> Text,
        subscription_id -> Text,
        id -> Text,
        event_id -> Text,
        event_name -> Text,
        state -> Text,
        attempts -> BigInt,
        next_attempt_at -> Nullable<BigInt>,
        claim_id -> Nullable<Text>,
        claimed_until -> Nullable<BigInt>,
        retry_of -> Nullable<Text>,
        created_at -> BigInt,
        finished_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    attempts (account_id, delivery_id, number) {
        account_id -> Text,
        delivery_id -> Text,
        number -> BigInt,
        started_at -> BigInt,
        duration_ms -> BigInt,
        status -> Nullable<BigInt>,
        error -> Nullable<Text>,
        answer -> Nullable<Text>,
    }
}

diesel::table! {
    replays (account_id, id) {
        account_id -> Text,
        id -> Text,
        subscription_id -> Text,
        since -> BigInt,
        until -> BigInt,
        events -> Text,
        after_position -> BigInt,
        after_event -> Text,
        until_position -> BigInt,
        created_at -> BigInt,
    }
}

diesel::table! {
    backlogs (account_id, subscription_id, version) {
        account_id -> Text,
        subscription_id -> Text,
        version -> BigInt,
        events -> Text,
        after_position -> BigInt,
        after_event -> Text,
        until_position -> BigInt,
        created_at -> BigInt,
        opened_at -> Nullable<BigInt>,
        turn -> BigInt,
    }
}
