//! Approvals: their rules, requests and decisions.

diesel::table! {
    approval_rules (account_id, id) {
        account_id -> Text,
        id -> Text,
        entity_type -> Text,
        name -> Nullable<Text>,
        currency -> Nullable<Text>,
        conditions -> Text,
        levels -> Text,
        allow_self_approval -> Bool,
        expires_after_hours -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    approvals (account_id, id) {
        account_id -> Text,
        id -> Text,
        entity_type -> Text,
        entity_id -> Text,
        command_kind -> Nullable<Text>,
        command -> Nullable<Text>,
        facts -> Text,
        digest -> Text,
        requirements -> Text,
        reason -> Nullable<Text>,
        requested_by -> Text,
        status -> Text,
        level -> BigInt,
        effect -> Text,
        result -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        expires_at -> BigInt,
        ended_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    approval_decisions (account_id, approval_id, person) {
        account_id -> Text,
        approval_id -> Text,
        person -> Text,
        verdict -> Text,
        level -> BigInt,
        comment -> Nullable<Text>,
        decided_at -> BigInt,
        place -> BigInt,
    }
}

diesel::table! {
    approval_holds (account_id, approval_id, payment_id) {
        account_id -> Text,
        approval_id -> Text,
        payment_id -> Text,
        amount -> BigInt,
    }
}
