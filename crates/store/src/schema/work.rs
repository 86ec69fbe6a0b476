//! Durable work, and what operators did about it.

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
        actor_name -> Nullable<Text>,
        before -> Nullable<Text>,
        after -> Nullable<Text>,
        address -> Nullable<Text>,
        request_id -> Nullable<Text>,
    }
}

diesel::table! {
    job_files (account_id, task_id) {
        account_id -> Text,
        task_id -> Text,
        expires_at -> BigInt,
    }
}

diesel::table! {
    job_file_pieces (account_id, task_id, position) {
        account_id -> Text,
        task_id -> Text,
        position -> BigInt,
        bytes -> Binary,
    }
}

diesel::table! {
    bulk_actions (account_id, task_id) {
        account_id -> Text,
        task_id -> Text,
        is_collected -> BigInt,
        total -> BigInt,
        done -> BigInt,
        refused -> BigInt,
        skipped -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    bulk_action_rows (account_id, task_id, position) {
        account_id -> Text,
        task_id -> Text,
        position -> BigInt,
        subject -> Text,
        label -> Text,
        outcome -> Nullable<Text>,
        code -> Nullable<Text>,
        english -> Nullable<Text>,
        spanish -> Nullable<Text>,
        made -> Nullable<Text>,
        version -> Nullable<BigInt>,
    }
}

diesel::table! {
    imports (account_id, id) {
        account_id -> Text,
        id -> Text,
        kind -> Text,
        state -> Text,
        options -> Text,
        file -> Text,
        file_size -> BigInt,
        file_digest -> Text,
        understood -> Nullable<Text>,
        total -> Nullable<BigInt>,
        processed -> BigInt,
        created -> BigInt,
        updated -> BigInt,
        unchanged -> BigInt,
        failed -> BigInt,
        warned -> BigInt,
        kept_bytes -> BigInt,
        file_misses -> BigInt,
        preview -> Nullable<Text>,
        failure -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        ended_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    import_uploads (account_id, id) {
        account_id -> Text,
        id -> Text,
        kind -> Text,
        name -> Text,
        file -> Text,
        file_size -> BigInt,
        file_digest -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    import_errors (account_id, import_id, row_number, place) {
        account_id -> Text,
        import_id -> Text,
        row_number -> BigInt,
        place -> BigInt,
        column_name -> Nullable<Text>,
        code -> Text,
        value -> Text,
        cells -> Nullable<Text>,
    }
}
