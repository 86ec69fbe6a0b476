//! Customers, leads and deals.

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
        external_id -> Nullable<Text>,
        search_text -> Text,
        search_version -> BigInt,
        orders_renamed_to -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
        group_id -> Nullable<Text>,
        tax_residence -> Nullable<Text>,
        foreign_tax_id -> Nullable<Text>,
    }
}

diesel::table! {
    customer_groups (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
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
        metadata -> Text,
        deal_id -> Nullable<Text>,
        customer_id -> Nullable<Text>,
        external_id -> Nullable<Text>,
        search_text -> Text,
        search_version -> BigInt,
        merged_into -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    activities (account_id, id) {
        account_id -> Text,
        id -> Text,
        kind -> Text,
        subject -> Text,
        notes -> Nullable<Text>,
        due_at -> Nullable<BigInt>,
        done_at -> Nullable<BigInt>,
        assignee_id -> Nullable<Text>,
        deal_id -> Nullable<Text>,
        lead_id -> Nullable<Text>,
        customer_id -> Nullable<Text>,
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
        customer_id -> Nullable<Text>,
        lead_id -> Nullable<Text>,
        owner_id -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
        pipeline_id -> Nullable<Text>,
        stage_id -> Nullable<Text>,
        rank -> Nullable<Text>,
        left_stage_id -> Nullable<Text>,
        lost_reason -> Nullable<Text>,
        expected_close -> Nullable<Text>,
        won_at -> Nullable<BigInt>,
        lost_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    deal_settings (account_id) {
        account_id -> Text,
        default_pipeline_id -> Text,
    }
}

diesel::table! {
    pipelines (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    pipeline_stages (account_id, pipeline_id, id) {
        account_id -> Text,
        pipeline_id -> Text,
        id -> Text,
        place -> BigInt,
        name -> Text,
        kind -> Text,
        probability -> BigInt,
    }
}

diesel::table! {
    deal_sums (account_id, pipeline_id, stage_id, currency) {
        account_id -> Text,
        pipeline_id -> Text,
        stage_id -> Text,
        currency -> Text,
        deal_count -> BigInt,
        units -> BigInt,
        micros -> BigInt,
    }
}

diesel::table! {
    deal_history (account_id, deal_id, id) {
        account_id -> Text,
        deal_id -> Text,
        id -> Text,
        what -> Text,
        from_stage_id -> Nullable<Text>,
        to_stage_id -> Nullable<Text>,
        value -> BigInt,
        currency -> Text,
        owner_id -> Nullable<Text>,
        reason -> Nullable<Text>,
        happened_at -> BigInt,
    }
}
