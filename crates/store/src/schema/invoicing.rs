//! Invoices, who issues them, their credits, and the embedded provider.

diesel::table! {
    issuers (account_id, id) {
        account_id -> Text,
        id -> Text,
        is_default -> BigInt,
        rfc -> Text,
        legal_name -> Text,
        tax_regime -> Text,
        tax_zip -> Text,
        series -> Text,
        default_taxes -> Text,
        shipping_taxes -> Nullable<Text>,
        stamps_receipts -> BigInt,
        stamps_credit_notes -> BigInt,
        logo -> Nullable<Text>,
        sheet -> Nullable<Text>,
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
        applied_to -> Nullable<Text>,
        overpaid -> BigInt,
        stamped_at -> Nullable<BigInt>,
        issuer_id -> Text,
        branch_id -> Nullable<Text>,
        facts_version -> BigInt,
        credited -> BigInt,
        draft_version -> BigInt,
        receipt_due -> BigInt,
    }
}

diesel::table! {
    invoice_facts (account_id, id) {
        account_id -> Text,
        id -> Text,
        search_text -> Text,
        subtotal -> BigInt,
        discount -> BigInt,
        transferred_iva -> BigInt,
        transferred_ieps -> BigInt,
        withheld_isr -> BigInt,
        withheld_iva -> BigInt,
        withheld_ieps -> BigInt,
        local_charged -> BigInt,
        local_withheld -> BigInt,
        search_version -> BigInt,
    }
}

diesel::table! {
    branches (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        issuer_id -> Nullable<Text>,
        place_of_issue -> Text,
        series -> Text,
        address -> Text,
        phone -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    global_settings (account_id) {
        account_id -> Text,
        settings -> Text,
        task_id -> Nullable<Text>,
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
        addenda -> Nullable<Text>,
    }
}

diesel::table! {
    former_invoices (account_id, order_id, invoice_id) {
        account_id -> Text,
        order_id -> Text,
        invoice_id -> Text,
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
        withholding_id -> Nullable<Text>,
    }
}

diesel::table! {
    withholdings (account_id, id) {
        account_id -> Text,
        id -> Text,
        status -> Text,
        code -> Text,
        year -> BigInt,
        issuer_id -> Text,
        customer_id -> Nullable<Text>,
        receiver_rfc -> Nullable<Text>,
        uuid -> Nullable<Text>,
        draft -> Text,
        document -> Text,
        stamp -> Nullable<Text>,
        cancellation -> Nullable<Text>,
        last_error -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
        draft_version -> BigInt,
    }
}

diesel::table! {
    withholding_papers (account_id, withholding_id) {
        account_id -> Text,
        withholding_id -> Text,
        certificate_number -> Text,
        seal -> Text,
        sealed_xml -> Text,
        stamped_xml -> Nullable<Text>,
        cancel_request -> Nullable<Text>,
        receipt -> Nullable<Text>,
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
