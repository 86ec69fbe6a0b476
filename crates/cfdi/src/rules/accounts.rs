//! The bank accounts that a payment names (c_FormaPago says which it may).

use super::{
    finding::{At, Findings, Shown},
    pattern, text,
};
use crate::{
    catalogs::payment_forms::{self, Account, PaymentForm},
    document::FOREIGNER,
    payments::{BankAccount, Payment},
};

/// SAT's codes for one of the two accounts: bank not allowed, number not allowed, number malformed.
struct Codes {
    bank: &'static str,
    number: &'static str,
    pattern: &'static str,
}

const PAYER: Codes = Codes { bank: "CRP20221", number: "CRP20224", pattern: "CRP20225" };
const PAYEE: Codes = Codes { bank: "CRP20227", number: "CRP20228", pattern: "CRP20226" };

/// Nothing is said where the form of payment is not known.
pub(super) fn check(payment: &Payment, at: &At<'_>, found: &mut Findings) {
    let Some(form) = payment_forms::find(&payment.payment_form) else { return };
    if let Some(account) = &payment.payer_account {
        let at = at.field("payerAccount");
        numbers(account, (form, form.payer), (&PAYER, &at), found);
        payer_bank(account, &at, found);
    }
    if let Some(account) = &payment.payee_account {
        let at = at.field("payeeAccount");
        numbers(account, (form, form.payee), (&PAYEE, &at), found);
        payee_bank(account, &at, found);
    }
}

/// Only for forms that go through a bank (20221, 20224, 20227, 20228), and like its accounts (20225, 20226).
fn numbers(
    account: &BankAccount,
    (form, allowed): (&PaymentForm, Option<Account>),
    (codes, at): (&Codes, &At<'_>),
    found: &mut Findings,
) {
    let Some(allowed) = allowed else {
        let named = [
            (codes.bank, "bankRfc", account.bank_rfc.is_some()),
            (codes.number, "number", account.number.is_some()),
        ];
        for (code, field, _) in named.into_iter().filter(|(.., is_there)| *is_there) {
            needless(form, code, &at.field(field), found);
        }
        return;
    };
    if let Some(number) = account.number.as_deref().filter(|number| !allowed.accepts(number)) {
        let (value, code) = (Shown(number), form.code);
        let (english, spanish) = pattern::in_words(allowed.pattern);
        found.add(
            codes.pattern,
            &at.field("number"),
            format_args!(
                "is {value}, which is not a valid account for payment form {code}: write its \
                 {english}, without spaces or hyphens",
            ),
            format_args!(
                "es {value}, que no es una cuenta válida para la forma de pago {code}: escribir sus \
                 {spanish}, sin espacios ni guiones",
            ),
        );
    }
}

fn needless(form: &PaymentForm, code: &'static str, at: &At<'_>, found: &mut Findings) {
    let PaymentForm { code: form, name, .. } = form;
    found.add(
        code,
        at,
        format_args!(
            "must be left out, because payment form {form} ({name}) does not use that account",
        ),
        format_args!("debe omitirse, porque la forma de pago {form} ({name}) no lleva esa cuenta"),
    );
}

/// A company's RFC or the generic one of a foreign bank (301), which then is named (20223).
fn payer_bank(account: &BankAccount, at: &At<'_>, found: &mut Findings) {
    text::optional(account.bank_name.as_deref(), 300, &at.field("bankName"), found);
    match account.bank_rfc.as_deref() {
        Some(FOREIGNER) if account.bank_name.is_none() => found.add(
            "CRP20223",
            &at.field("bankName"),
            format_args!(
                "is missing: state the name of the bank, because its RFC {FOREIGNER} indicates \
                 that it is foreign",
            ),
            format_args!(
                "falta: indicar el nombre del banco, porque su RFC {FOREIGNER} señala que es \
                 extranjero",
            ),
        ),
        Some(rfc) if rfc != FOREIGNER => bank_rfc(rfc, &at.field("bankRfc"), found),
        _ => {}
    }
}

/// A company's RFC (301).
fn payee_bank(account: &BankAccount, at: &At<'_>, found: &mut Findings) {
    if let Some(rfc) = account.bank_rfc.as_deref() {
        bank_rfc(rfc, &at.field("bankRfc"), found);
    }
}

fn bank_rfc(rfc: &str, at: &At<'_>, found: &mut Findings) {
    if !text::is_company_rfc(rfc) {
        let value = Shown(rfc);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, which is not the RFC of a bank: set its twelve characters, or leave \
                 it out",
            ),
            format_args!(
                "es {value}, que no es el RFC de un banco: indicar sus doce caracteres, u omitirlo",
            ),
        );
    }
}
