//! How the payments of an account are dealt with.

use std::collections::HashMap;

use ::accounts::{Act, Action};
use ::payments::{Method, NewPayment, PaymentSettings, settings::LatePayments};
use diesel::prelude::*;
use kernel::{AccountId, Ctx};

use super::begin::Outcome;
use crate::{
    audit,
    db::{Db, first_locked},
    error::refuse_stale,
    schema::payment_settings::{self as table, dsl},
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id))]
struct SettingsRow {
    account_id: String,
    settings: String,
    updated_at: i64,
    version: i64,
}

/// As usual where nothing was set.
pub(super) fn kept(db: &mut Db, account: AccountId) -> QueryResult<PaymentSettings> {
    let row: Option<String> = dsl::payment_settings
        .filter(dsl::account_id.eq(account.to_string()))
        .select(dsl::settings)
        .first(db)
        .optional()?;
    row.map_or_else(|| Ok(PaymentSettings::default()), |text| from_text(&text))
}

pub(super) fn set(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wanted: &PaymentSettings,
    version: Option<i64>,
) -> Outcome<PaymentSettings> {
    let own = || dsl::payment_settings.filter(dsl::account_id.eq(ctx.account.to_string()));
    let row = first_locked!(tx.db, SettingsRow, own())?;
    let before = row.as_ref().map(|row| from_text(&row.settings)).transpose()?;
    let before: PaymentSettings = before.unwrap_or_default();
    refuse_stale(version, before.version)?;
    let after = wanted.clone().after(&before, ctx.now);
    let late = |settings: &PaymentSettings| Some(settings.late_payments.name().to_owned());
    let forms = |settings: &PaymentSettings| {
        let forms = settings.sat_forms.iter();
        let forms = forms.map(|(method, form)| format!("{} {form}", method.name()));
        Some(forms.collect::<Vec<_>>().join(", "))
    };
    let act = Act::new(Action::AccountChanged, &ctx.account)
        .with("refundLatePayments", late(&before), late(&after))
        .with("satPaymentForms", forms(&before), forms(&after));
    audit::record(tx, ctx, &act)?;
    let new = SettingsRow {
        account_id: ctx.account.to_string(),
        settings: to_text(&after)?,
        updated_at: ctx.now.micros(),
        version: after.version,
    };
    match row {
        Some(_) => diesel::update(own()).set(&new).execute(tx.db)?,
        None => diesel::insert_into(table::table).values(&new).execute(tx.db)?,
    };
    Ok(after)
}

/// The settings of accounts, where any were set: on PostgreSQL, by one statement.
pub(super) fn kept_of(
    conn: &mut PgConnection,
    accounts: &[String],
) -> QueryResult<HashMap<String, PaymentSettings>> {
    let rows: Vec<(String, String)> = dsl::payment_settings
        .filter(dsl::account_id.eq_any(accounts))
        .select((dsl::account_id, dsl::settings))
        .load(conn)?;
    rows.into_iter().map(|(account, text)| Ok((account, from_text(&text)?))).collect()
}

/// How a new payment is named to the tax authority: as it says itself, or as its account has told for its method.
pub(super) fn form_of(
    new: &NewPayment,
    settings: impl FnOnce() -> QueryResult<PaymentSettings>,
) -> QueryResult<Option<String>> {
    match &new.sat_payment_form {
        Some(form) => Ok(Some(form.clone())),
        None => Ok(settings()?.sat_form(new.method).map(str::to_owned)),
    }
}

/// A payment that says how it is named to the tax authority, where its account has told how those of its method are.
pub(super) fn named(db: &mut Db, account: AccountId, new: &NewPayment) -> QueryResult<NewPayment> {
    let sat_payment_form = form_of(new, || kept(db, account))?;
    Ok(NewPayment { sat_payment_form, ..new.clone() })
}

/// How payments by a method are named to the tax authority, where that is not as usual.
pub(super) fn sat_form(
    db: &mut Db,
    account: AccountId,
    method: Method,
) -> QueryResult<Option<String>> {
    Ok(kept(db, account)?.sat_form(method).map(str::to_owned))
}

/// Whether money that comes for a cancelled order is given back by itself.
pub(super) fn gives_late_back(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    Ok(kept(db, account)?.late_payments == LatePayments::Auto)
}
