//! Receipts of payments: of several invoices, in parts, in other currencies both ways.

use cfdi::{
    catalogs::payment_forms::{self, PaymentForm},
    decimal,
    document::{Document, DocumentType, Item},
    payments::{BankAccount, Equivalence, PaidDocument, Payment},
    tax::ItemTax,
    totals::{Totals, summed},
};
use kernel::{Amount, Currency};
use time::PrimitiveDateTime;

use crate::{
    Made,
    items::{self, Catalogs},
    parties,
    rng::Rng,
    sales, words,
};

const ONE: Amount = Amount::from_micros(1_000_000);
/// Above it no single amount goes, so that sixty of them stay within measure.
const PAID_MAX: Amount = Amount::from_micros(5_000_000_000_000_000);

/// An invoice that was issued earlier and is owed.
struct Owed {
    uuid: String,
    currency: Currency,
    total: Amount,
    balance: Amount,
    installments: u32,
    taxes: Vec<ItemTax>,
}

/// A receipt; `mixed` when the payments are in other currencies than the invoices.
pub(crate) fn receipt(rng: &mut Rng, catalogs: &Catalogs, mixed: bool) -> Made {
    let mut document = sales::sold(rng, DocumentType::Payment, true);
    (document.payment_form, document.payment_method, document.payment_terms) = (None, None, None);
    (document.currency, document.exchange_rate) = (None, None);
    document.receiver = match rng.chance(10) {
        true => parties::foreigner(rng, &document.place_of_issue),
        false => document.receiver,
    };
    document.receiver.cfdi_use = "CP01".to_owned();
    document.items = vec![the_item()];
    if rng.chance(10) {
        document.related.push(sales::relation_to(rng, "04"));
    }
    let count = rng.weighted(&[(80, 1), (15, 2), (5, 6)]);
    document.payments = payments(rng, catalogs, (mixed, count), document.issued_at);
    Made { document, paid: None }
}

fn the_item() -> Item {
    Item {
        sat_product_key: "84111506".to_owned(),
        sku: None,
        quantity: ONE,
        sat_unit_key: "ACT".to_owned(),
        unit: None,
        description: "Pago".to_owned(),
        unit_price: Amount::ZERO,
        amount: Amount::ZERO,
        discount: None,
        tax_object: "01".to_owned(),
        taxes: Vec::new(),
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

fn payments(
    rng: &mut Rng,
    catalogs: &Catalogs,
    (mixed, count): (bool, i64),
    at: PrimitiveDateTime,
) -> Vec<Payment> {
    let currency = |rng: &mut Rng, foreign: i64| match rng.chance(foreign) {
        true => sales::foreign(rng),
        false => (Currency::MXN, ONE),
    };
    let of_documents = currency(rng, if mixed { 60 } else { 25 });
    let documents = rng.weighted(&[(60, 1), (25, 3), (12, 10), (3, 60)]);
    let mut owed: Vec<_> = (0..documents)
        .map(|index| {
            let own = if mixed && index > 0 { currency(rng, 40).0 } else { of_documents.0 };
            owed(rng, catalogs, own)
        })
        .filter(|owed| owed.total.micros() > 0)
        .collect();
    (0..count)
        .map(|_| {
            let (currency, rate) = if mixed { currency(rng, 50) } else { of_documents };
            payment(rng, &mut owed, (currency, rate), at)
        })
        .filter(|payment| !payment.documents.is_empty())
        .collect()
}

/// An invoice with its taxes as its summary states them.
fn owed(rng: &mut Rng, catalogs: &Catalogs, currency: Currency) -> Owed {
    let mut document = sales::sold(rng, DocumentType::Income, true);
    document.currency = Some(currency);
    let shape = sales::shape(rng, &document, 50);
    document.items = items::items(rng, catalogs, &shape).items;
    let totals = Totals::of(&document);
    let withheld = document.items.iter().flat_map(|item| &item.taxes);
    let withheld = summed(withheld.filter(|tax| tax.rate.withheld).copied());
    let taxes = totals.transferred.iter().copied().chain(withheld).collect();
    let part = Amount::from_micros(rng.between(100_000, 1_000_000));
    let balance = match rng.chance(70) {
        true => totals.total,
        false => decimal::product(totals.total, part).rounded(currency.decimals()),
    };
    let installments =
        if balance == totals.total { 0 } else { u32::try_from(rng.between(1, 50)).unwrap_or(1) };
    Owed { uuid: rng.uuid(), currency, total: totals.total, balance, installments, taxes }
}

fn payment(
    rng: &mut Rng,
    owed: &mut [Owed],
    (currency, rate): (Currency, Amount),
    at: PrimitiveDateTime,
) -> Payment {
    let mut documents = Vec::new();
    let mut amount = Amount::ZERO;
    for each in owed {
        if let Some((paid, in_payment)) = paid(rng, each, currency) {
            amount = decimal::sum([amount, in_payment]);
            documents.push(paid);
        }
    }
    let form = loop {
        let form = rng.pick(payment_forms::all());
        if form.code != payment_forms::TO_BE_DEFINED {
            break form;
        }
    };
    // What is paid beyond the documents is the payer's credit.
    let more = rng.sometimes(10, |rng| Amount::from_micros(rng.between(1, 500) * 1_000_000));
    let foreign = currency != Currency::MXN;
    Payment {
        paid_at: at - time::Duration::hours(rng.between(0, 400)),
        payment_form: form.code.to_owned(),
        currency,
        exchange_rate: foreign.then_some(rate),
        amount: decimal::sum([amount, more.unwrap_or_default()]),
        operation: rng.sometimes(50, |rng| words::label(rng, 100)),
        payer_account: rng.sometimes(40, |rng| payer(rng, &form)).flatten(),
        payee_account: rng.sometimes(40, |rng| payee(rng, &form)).flatten(),
        documents,
    }
}

/// All or a part of what is owed, and what that is in the payment's currency.
fn paid(rng: &mut Rng, owed: &mut Owed, currency: Currency) -> Option<(PaidDocument, Amount)> {
    let part = match rng.chance(60) {
        true => ONE,
        false => Amount::from_micros(rng.between(1_000, 999_999)),
    };
    let amount = decimal::product(owed.balance, part).rounded(owed.currency.decimals());
    let (in_payment, equivalence) = match owed.currency == currency {
        true => (amount, Equivalence::ONE),
        false => {
            let (from, to) = (pesos(owed.currency), pesos(currency));
            let worth = decimal::share(amount, from, to);
            let drift = Amount::from_micros(rng.between(980_000, 1_020_000));
            let worth = decimal::product(worth, drift).rounded(currency.decimals());
            (worth, Equivalence::of(amount, worth)?)
        }
    };
    let in_pesos = decimal::product(in_payment, pesos(currency));
    if amount.micros() <= 0 || in_payment.micros() <= 0 || in_payment.max(in_pesos) > PAID_MAX {
        return None;
    }
    let taxes = PaidDocument::proportional(&owed.taxes, amount, owed.total);
    // A cent of a large invoice can be too little to have a base.
    if taxes.iter().any(|tax| tax.base.micros() <= 0) {
        return None;
    }
    let document = PaidDocument {
        uuid: owed.uuid.clone(),
        series: rng.sometimes(50, |rng| words::label(rng, 25)),
        folio: rng.sometimes(50, |rng| words::label(rng, 40)),
        currency: owed.currency,
        equivalence,
        installment: owed.installments + 1,
        balance_before: owed.balance,
        amount,
        tax_object: if taxes.is_empty() { "01" } else { "02" }.to_owned(),
        taxes,
    };
    owed.balance = decimal::less(owed.balance, amount);
    owed.installments += 1;
    Some((document, in_payment))
}

/// Roughly the pesos of one unit.
fn pesos(currency: Currency) -> Amount {
    Amount::from_micros(match (currency, currency.decimals()) {
        (Currency::MXN, _) => 1_000_000,
        (_, 0) => 120_000,
        (_, 3) => 56_000_000,
        _ => 18_500_000,
    })
}

fn payer(rng: &mut Rng, form: &PaymentForm) -> Option<BankAccount> {
    let account = form.payer?;
    let abroad = form.foreign_bank_name && rng.chance(30);
    let bank_rfc = if abroad { "XEXX010101000" } else { "BBA830831LJ2" };
    Some(BankAccount {
        bank_rfc: Some(bank_rfc.to_owned()),
        bank_name: abroad.then(|| "BANK OF \"AMÉRICA\" & CO".to_owned()),
        number: number(rng, &account),
    })
}

fn payee(rng: &mut Rng, form: &PaymentForm) -> Option<BankAccount> {
    let account = form.payee?;
    let bank_rfc = Some("BNM840515VB1".to_owned());
    Some(BankAccount { bank_rfc, bank_name: None, number: number(rng, &account) })
}

fn number(rng: &mut Rng, account: &payment_forms::Account) -> Option<String> {
    let tried = [18, 16, 10].map(|length| rng.digits(length));
    tried.into_iter().find(|number| account.accepts(number))
}

/// Whether there is nothing in it that is paid: too little was owed.
pub(crate) fn is_void(document: &Document) -> bool {
    document.kind == DocumentType::Payment && document.payments.is_empty()
}
