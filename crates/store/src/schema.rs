//! The tables as diesel sees them, the same on both databases.

pub(crate) use engine::schema::{counters, idempotency_answers};

diesel::table! {
    accounts (id) {
        id -> Text,
        name -> Text,
        low_stock_threshold -> BigInt,
        created_at -> BigInt,
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
    }
}

diesel::table! {
    events (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        entity_id -> Text,
        body -> Text,
        created_at -> BigInt,
        position -> BigInt,
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
    products (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        sku -> Text,
        description -> Nullable<Text>,
        ean -> Nullable<Text>,
        price -> BigInt,
        currency -> Text,
        status -> Text,
        low_stock_threshold -> Nullable<BigInt>,
        tax_included -> Bool,
        taxes -> Text,
        sat_product_key -> Nullable<Text>,
        sat_unit_key -> Nullable<Text>,
        metadata -> Text,
        sort_name -> Text,
        search_text -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    variants (account_id, product_id, id) {
        account_id -> Text,
        product_id -> Text,
        id -> Text,
        position -> BigInt,
        name -> Text,
        sku -> Nullable<Text>,
        ean -> Nullable<Text>,
        price -> Nullable<BigInt>,
    }
}

diesel::table! {
    skus (account_id, sku) {
        account_id -> Text,
        sku -> Text,
        product_id -> Text,
    }
}

diesel::table! {
    stock_levels (account_id, product_id, variant_id, warehouse_id) {
        account_id -> Text,
        product_id -> Text,
        variant_id -> Text,
        warehouse_id -> Text,
        quantity -> BigInt,
    }
}

diesel::table! {
    stock_movements (account_id, id) {
        account_id -> Text,
        id -> Text,
        product_id -> Text,
        variant_id -> Text,
        warehouse_id -> Text,
        delta -> BigInt,
        quantity_after -> BigInt,
        reason -> Text,
        reference -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    customers (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        email -> Nullable<Text>,
        email_key -> Nullable<Text>,
        phone -> Nullable<Text>,
        rfc -> Nullable<Text>,
        legal_name -> Nullable<Text>,
        tax_regime -> Nullable<Text>,
        tax_zip -> Nullable<Text>,
        cfdi_use -> Nullable<Text>,
        addresses -> Text,
        metadata -> Text,
        search_text -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    orders (account_id, id) {
        account_id -> Text,
        id -> Text,
        number -> BigInt,
        status -> Text,
        fulfillment_status -> Text,
        customer_id -> Text,
        total -> BigInt,
        currency -> Text,
        refund_due -> BigInt,
        carrier -> Nullable<Text>,
        tracking_number -> Nullable<Text>,
        cancel_reason -> Nullable<Text>,
        notes -> Nullable<Text>,
        metadata -> Text,
        search_text -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        paid_at -> Nullable<BigInt>,
        shipped_at -> Nullable<BigInt>,
        delivered_at -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    order_items (account_id, order_id, line) {
        account_id -> Text,
        order_id -> Text,
        line -> BigInt,
        product_id -> Text,
        variant_id -> Text,
        name -> Text,
        sku -> Text,
        quantity -> BigInt,
        unit_price -> BigInt,
    }
}

diesel::table! {
    leads (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        email -> Nullable<Text>,
        phone -> Nullable<Text>,
        company -> Nullable<Text>,
        source -> Nullable<Text>,
        status -> Text,
        estimated_value -> Nullable<BigInt>,
        currency -> Text,
        owner_id -> Nullable<Text>,
        notes -> Nullable<Text>,
        tags -> Text,
        deal_id -> Nullable<Text>,
        customer_id -> Nullable<Text>,
        search_text -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    deals (account_id, id) {
        account_id -> Text,
        id -> Text,
        title -> Text,
        value -> BigInt,
        currency -> Text,
        status -> Text,
        customer_id -> Text,
        lead_id -> Text,
        owner_id -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    issuers (account_id) {
        account_id -> Text,
        rfc -> Text,
        legal_name -> Text,
        tax_regime -> Text,
        tax_zip -> Text,
        series -> Text,
        default_taxes -> Text,
        logo -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    issuer_certificates (account_id, id) {
        account_id -> Text,
        id -> Text,
        number -> Text,
        rfc -> Text,
        legal_name -> Text,
        valid_from -> BigInt,
        valid_until -> BigInt,
        is_active -> BigInt,
        certificate -> Text,
        private_key -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    certification_providers (account_id) {
        account_id -> Text,
        kind -> Text,
        user_name -> Nullable<Text>,
        credentials -> Nullable<Text>,
        simulate -> Text,
        updated_at -> BigInt,
    }
}

diesel::table! {
    invoices (account_id, id) {
        account_id -> Text,
        id -> Text,
        status -> Text,
        kind -> Text,
        series -> Text,
        folio -> Nullable<BigInt>,
        customer_id -> Nullable<Text>,
        receiver_rfc -> Text,
        uuid -> Nullable<Text>,
        total -> BigInt,
        currency -> Text,
        balance -> Nullable<BigInt>,
        installments -> BigInt,
        cancellation_status -> Nullable<Text>,
        draft -> Text,
        document -> Text,
        stamp -> Nullable<Text>,
        cancellation -> Nullable<Text>,
        last_error -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    invoice_papers (account_id, invoice_id) {
        account_id -> Text,
        invoice_id -> Text,
        certificate_number -> Text,
        seal -> Text,
        sealed_xml -> Text,
        stamped_xml -> Nullable<Text>,
        cancel_request -> Nullable<Text>,
        receipt -> Nullable<Text>,
    }
}

diesel::table! {
    invoice_folios (account_id, series) {
        account_id -> Text,
        series -> Text,
        last -> BigInt,
    }
}

diesel::table! {
    invoice_orders (account_id, order_id) {
        account_id -> Text,
        order_id -> Text,
        invoice_id -> Text,
    }
}

diesel::table! {
    invoice_relations (account_id, uuid, invoice_id, relation) {
        account_id -> Text,
        uuid -> Text,
        invoice_id -> Text,
        relation -> Text,
    }
}

diesel::table! {
    invoice_tasks (account_id, invoice_id) {
        account_id -> Text,
        invoice_id -> Text,
        step -> Text,
        due_at -> BigInt,
        attempts -> BigInt,
        is_doubtful -> BigInt,
        claim_id -> Nullable<Text>,
        claimed_until -> Nullable<BigInt>,
        created_at -> BigInt,
    }
}

diesel::table! {
    credit_balances (account_id) {
        account_id -> Text,
        available -> BigInt,
        reserved -> BigInt,
    }
}

diesel::table! {
    credit_entries (account_id, id) {
        account_id -> Text,
        id -> Text,
        kind -> Text,
        amount -> BigInt,
        invoice_id -> Nullable<Text>,
        note -> Nullable<Text>,
        created_at -> BigInt,
    }
}

diesel::table! {
    sandbox_stamps (account_id, seal_digest) {
        account_id -> Text,
        seal_digest -> Text,
        uuid -> Text,
        record -> Text,
        cancel_requested_at -> Nullable<BigInt>,
        created_at -> BigInt,
    }
}

diesel::table! {
    sandbox_identity (id) {
        id -> Text,
        certificate -> Text,
        private_key -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    tasks (account_id, id) {
        account_id -> Text,
        id -> Text,
        kind -> Text,
        subject -> Text,
        exclusive_key -> Nullable<Text>,
        payload_version -> BigInt,
        payload -> Text,
        state -> Text,
        due_at -> Nullable<BigInt>,
        attempts -> BigInt,
        is_doubtful -> BigInt,
        claim_id -> Nullable<Text>,
        claimed_until -> Nullable<BigInt>,
        is_cancel_requested -> BigInt,
        done -> BigInt,
        total -> Nullable<BigInt>,
        message -> Nullable<Text>,
        outcome -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        ended_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    audit_entries (account_id, id) {
        account_id -> Text,
        id -> Text,
        actor -> Text,
        action -> Text,
        subject -> Text,
        note -> Text,
        created_at -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(accounts, products, variants, stock_levels, skus);
