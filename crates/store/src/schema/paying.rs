//! Payments, refunds and what providers tell of them.

diesel::table! {
    payments (account_id, id) {
        account_id -> Text,
        id -> Text,
        order_id -> Nullable<Text>,
        invoice_id -> Nullable<Text>,
        customer_id -> Nullable<Text>,
        link_id -> Nullable<Text>,
        provider -> Text,
        method -> Text,
        status -> Text,
        amount -> BigInt,
        currency -> Text,
        received -> BigInt,
        authorized -> BigInt,
        captured -> BigInt,
        refunded -> BigInt,
        refund_pending -> BigInt,
        provider_ref -> Nullable<Text>,
        flags -> Text,
        details -> Text,
        paid_at -> Nullable<BigInt>,
        expires_at -> Nullable<BigInt>,
        receipt_id -> Nullable<Text>,
        receipt_problem -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    payment_links (account_id, id) {
        account_id -> Text,
        id -> Text,
        order_id -> Nullable<Text>,
        stage -> Text,
        currency -> Text,
        payments_max -> Nullable<BigInt>,
        taken -> BigInt,
        paid_count -> BigInt,
        details -> Text,
        expires_at -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
        invoice_id -> Nullable<Text>,
    }
}

diesel::table! {
    payment_calls (account_id, id) {
        account_id -> Text,
        id -> Text,
        payment_id -> Text,
        kind -> Text,
        amount -> Nullable<BigInt>,
        outcome -> Text,
        is_unknown -> BigInt,
        tries -> BigInt,
        absences -> BigInt,
        failure -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    refunds (account_id, id) {
        account_id -> Text,
        id -> Text,
        payment_id -> Text,
        order_id -> Nullable<Text>,
        amount -> BigInt,
        currency -> Text,
        status -> Text,
        origin -> Text,
        provider_ref -> Nullable<Text>,
        details -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        succeeded_at -> Nullable<BigInt>,
        credit_note_id -> Nullable<Text>,
        credit_note_problem -> Nullable<Text>,
        version -> BigInt,
    }
}

diesel::table! {
    payment_providers (account_id, provider) {
        account_id -> Text,
        provider -> Text,
        credentials -> Nullable<Text>,
        key_end -> Nullable<Text>,
        is_default -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
        installments -> Nullable<Text>,
    }
}

diesel::table! {
    payment_notices (account_id, id) {
        account_id -> Text,
        id -> Text,
        provider -> Text,
        event_key -> Text,
        is_signed -> BigInt,
        provider_ref -> Nullable<Text>,
        payment_id -> Nullable<Text>,
        status -> Text,
        tries -> BigInt,
        problem -> Nullable<Text>,
        query -> Text,
        headers -> Text,
        body -> Text,
        received_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    sandbox_charges (account_id, payment_id) {
        account_id -> Text,
        payment_id -> Text,
        charge -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    payment_settings (account_id) {
        account_id -> Text,
        settings -> Text,
        updated_at -> BigInt,
        version -> BigInt,
    }
}
