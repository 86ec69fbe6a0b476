//! People, their sessions, and who belongs to which account.

diesel::table! {
    users (id) {
        id -> Text,
        email -> Text,
        name -> Text,
        language -> Nullable<Text>,
        theme -> Text,
        density -> Text,
        shortcuts -> Bool,
        password -> Text,
        password_changed_at -> BigInt,
        totp_secret -> Nullable<Text>,
        totp_since -> Nullable<BigInt>,
        totp_step -> Nullable<BigInt>,
        created_at -> BigInt,
    }
}

diesel::table! {
    user_recovery_codes (user_id, digest) {
        user_id -> Text,
        digest -> Text,
    }
}

diesel::table! {
    memberships (account_id, user_id) {
        account_id -> Text,
        user_id -> Text,
        role -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    user_sessions (id) {
        user_id -> Text,
        id -> Text,
        digest -> Text,
        created_at -> BigInt,
        last_seen_at -> BigInt,
        network -> Text,
        user_agent -> Text,
        authenticated_at -> BigInt,
        owes_code -> Bool,
    }
}

diesel::table! {
    user_networks (user_id, network) {
        user_id -> Text,
        network -> Text,
        seen_at -> BigInt,
    }
}

diesel::table! {
    invitations (account_id, id) {
        account_id -> Text,
        id -> Text,
        email -> Text,
        role -> Text,
        digest -> Text,
        invited_by -> Nullable<Text>,
        created_at -> BigInt,
        expires_at -> BigInt,
        accepted_at -> Nullable<BigInt>,
        revoked_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    user_links (id) {
        id -> Text,
        purpose -> Text,
        account_id -> Nullable<Text>,
        user_id -> Nullable<Text>,
        digest -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        used_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    sign_in_failures (name) {
        name -> Text,
        count -> BigInt,
        last_at -> BigInt,
    }
}

diesel::table! {
    mails (account_id, id) {
        account_id -> Text,
        id -> Text,
        recipient -> Text,
        subject -> Text,
        text -> Nullable<Text>,
        created_at -> BigInt,
        sent_at -> Nullable<BigInt>,
        failure -> Nullable<Text>,
    }
}

diesel::table! {
    saved_views (account_id, user_id, id) {
        account_id -> Text,
        user_id -> Text,
        id -> Text,
        list -> Text,
        name -> Text,
        query -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    parked_forms (account_id, user_id, once) {
        account_id -> Text,
        user_id -> Text,
        once -> Text,
        page -> Text,
        action -> Text,
        operation -> Text,
        sealed -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        sure_until -> BigInt,
    }
}
