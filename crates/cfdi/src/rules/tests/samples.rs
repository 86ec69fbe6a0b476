//! Valid documents.

use kernel::{Amount, Currency};
use time::macros::datetime;

use super::foreign_trade;
use crate::{
    complements::Complements,
    document::{
        Document, DocumentType, FOREIGNER, GENERAL_PUBLIC, Global, Issuer, Item, Part,
        PaymentMethod, Receiver, Relation, ThirdParty,
    },
    payments::{BankAccount, Equivalence, PaidDocument, Payment},
    pricing::{Price, amounts},
    tax::{Factor, ItemTax, Tax, TaxRate},
    totals::Totals,
};

pub(super) const UUID: &str = "5FB2822E-396D-4725-8521-CDC4BDD20CCF";

pub(super) const ALL: &[fn() -> Document] = &[
    invoice,
    on_credit,
    abroad,
    global,
    to_somebody_unnamed,
    at_the_border,
    global_at_the_border,
    of_many_taxes,
    kit,
    credit_note,
    substitute,
    transfer,
    receipt,
    receipt_in_dollars,
    receipt_of_dollars,
    foreign_trade::exported,
    foreign_trade::exported_in_two_kinds,
    foreign_trade::moved,
];

pub(super) fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

pub(super) fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

pub(super) fn rate(tax: Tax, factor: Factor, rate: &str, withheld: bool) -> TaxRate {
    TaxRate { tax, factor, rate: amount(rate), withheld }
}

pub(super) fn iva_16() -> TaxRate {
    TaxRate::iva(160_000)
}

pub(super) fn exempt() -> TaxRate {
    TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) }
}

/// An item at a net price.
pub(super) fn item(quantity: &str, price: &str, discount: Option<&str>, rates: &[TaxRate]) -> Item {
    priced(quantity, Price::Net(amount(price)), discount, rates)
}

fn priced(quantity: &str, price: Price, discount: Option<&str>, rates: &[TaxRate]) -> Item {
    let quantity = amount(quantity);
    let amounts = amounts(quantity, price, discount.map(amount), rates);
    Item {
        sat_product_key: "43211503".to_owned(),
        sku: text("LAP-01"),
        quantity,
        sat_unit_key: "H87".to_owned(),
        unit: text("Pieza"),
        description: "Computadora portátil de 14\"".to_owned(),
        unit_price: amounts.unit_price,
        amount: amounts.amount,
        discount: amounts.discount,
        tax_object: if rates.is_empty() { "01" } else { "02" }.to_owned(),
        taxes: amounts.taxes,
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

/// A company sells to a person, paid at once by transfer.
pub(in crate::rules) fn invoice() -> Document {
    Document {
        kind: DocumentType::Income,
        series: text("A"),
        folio: text("1024"),
        issued_at: datetime!(2026-08-03 11:30:00),
        payment_form: text("03"),
        payment_method: Some(PaymentMethod::Pue),
        payment_terms: text("Contado"),
        currency: Some(Currency::MXN),
        exchange_rate: None,
        export: "01".to_owned(),
        place_of_issue: "06600".to_owned(),
        confirmation: None,
        global: None,
        related: Vec::new(),
        issuer: Issuer {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: "601".to_owned(),
        },
        receiver: Receiver {
            rfc: "CACX7605101P8".to_owned(),
            legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
            tax_zip: "64000".to_owned(),
            tax_regime: "612".to_owned(),
            cfdi_use: "G03".to_owned(),
            tax_residence: None,
            foreign_tax_id: None,
        },
        items: vec![
            priced("1", Price::Gross(amount("100")), None, &[iva_16()]),
            item("3", "250.50", Some("50.10"), &[iva_16()]),
        ],
        local_taxes: Vec::new(),
        payments: Vec::new(),
        complements: Complements::default(),
    }
}

/// To be paid in parts.
pub(super) fn on_credit() -> Document {
    Document {
        payment_form: text("99"),
        payment_method: Some(PaymentMethod::Ppd),
        exchange_rate: Some(amount("1")),
        ..invoice()
    }
}

/// In dollars, to a foreigner.
pub(super) fn abroad() -> Document {
    Document {
        currency: Currency::parse("USD").ok(),
        confirmation: text("aB3d5"),
        exchange_rate: Some(amount("18.654321")),
        receiver: Receiver {
            rfc: FOREIGNER.to_owned(),
            legal_name: "Fabrikam, Inc.".to_owned(),
            tax_zip: "06600".to_owned(),
            tax_regime: "616".to_owned(),
            cfdi_use: "S01".to_owned(),
            tax_residence: text("USA"),
            foreign_tax_id: text("123456789"),
        },
        items: vec![item("2.5", "19.99", None, &[TaxRate::iva(0)])],
        ..invoice()
    }
}

/// The sales of a day to the general public.
pub(super) fn global() -> Document {
    let sale = |ticket: &str, gross: &str| Item {
        sat_product_key: "01010101".to_owned(),
        sku: text(ticket),
        sat_unit_key: "ACT".to_owned(),
        unit: None,
        description: "Venta".to_owned(),
        ..priced("1", Price::Gross(amount(gross)), None, &[iva_16()])
    };
    Document {
        payment_form: text("01"),
        global: Some(Global { periodicity: "01".to_owned(), months: "08".to_owned(), year: 2026 }),
        receiver: anybody("PUBLICO EN GENERAL"),
        items: vec![sale("T-1", "99.90"), sale("T-2", "1234.56")],
        ..invoice()
    }
}

fn anybody(name: &str) -> Receiver {
    Receiver {
        rfc: GENERAL_PUBLIC.to_owned(),
        legal_name: name.to_owned(),
        tax_zip: "06600".to_owned(),
        tax_regime: "616".to_owned(),
        cfdi_use: "S01".to_owned(),
        tax_residence: None,
        foreign_tax_id: None,
    }
}

/// To somebody whose RFC is not known.
pub(super) fn to_somebody_unnamed() -> Document {
    Document { receiver: anybody("Juan Pérez"), ..invoice() }
}

/// With the rate of the border regions.
pub(super) fn at_the_border() -> Document {
    Document {
        issued_at: datetime!(2026-08-03 10:59:00),
        place_of_issue: "22000".to_owned(),
        items: vec![priced("1", Price::Gross(amount("100")), None, &[TaxRate::iva(80_000)])],
        ..invoice()
    }
}

/// The sales of a day in the border regions: tickets have a key that alone is excluded from their rate.
pub(super) fn global_at_the_border() -> Document {
    let mut document = global();
    for item in &mut document.items {
        let ticket = priced("1", Price::Gross(amount("100")), None, &[TaxRate::iva(80_000)]);
        *item = Item {
            amount: ticket.amount,
            unit_price: ticket.unit_price,
            taxes: ticket.taxes,
            ..item.clone()
        };
    }
    document.issued_at = datetime!(2026-08-03 10:59:00);
    "22000".clone_into(&mut document.place_of_issue);
    "22000".clone_into(&mut document.receiver.tax_zip);
    document
}

/// With taxes of all sorts, on somebody's behalf, imported, and of a house.
pub(super) fn of_many_taxes() -> Document {
    let fees = [
        iva_16(),
        rate(Tax::Isr, Factor::Tasa, "0.1", true),
        rate(Tax::Iva, Factor::Tasa, "0.106667", true),
    ];
    let drinks = [rate(Tax::Ieps, Factor::Tasa, "0.08", false), TaxRate::iva(0)];
    let petrol = [rate(Tax::Ieps, Factor::Cuota, "6.4555", false), iva_16()];
    let mut without_iva = item("1", "80", None, &[rate(Tax::Isr, Factor::Tasa, "0.0125", true)]);
    without_iva.tax_object = "06".to_owned();
    let mut ieps_only = item("1", "80", None, &[rate(Tax::Ieps, Factor::Tasa, "0.08", false)]);
    ieps_only.tax_object = "07".to_owned();
    let mut rent = item("1", "1200.123456", None, &[exempt()]);
    rent.property_accounts = vec!["15956011002".to_owned()];
    let mut imported = item("0.333333", "86.206897", Some("1.123456"), &[iva_16()]);
    imported.customs = vec!["24  48  3009  4001234".to_owned()];
    let mut on_behalf = item("1", "10", None, &[]);
    on_behalf.third_party = Some(ThirdParty {
        rfc: "JUFA7608212V6".to_owned(),
        legal_name: "ADRIANA JUAREZ FERNANDEZ".to_owned(),
        tax_regime: "612".to_owned(),
        tax_zip: "29133".to_owned(),
    });
    Document {
        items: vec![
            item("1", "5000", None, &fees),
            item("12", "15.5", None, &drinks),
            item("40.123", "20.1", None, &petrol),
            without_iva,
            ieps_only,
            rent,
            imported,
            on_behalf,
        ],
        ..invoice()
    }
}

/// A kit, of which one part was imported.
pub(super) fn kit() -> Document {
    let part = |quantity: &str, price: Option<&str>, customs: &[&str]| Part {
        sat_product_key: "43211706".to_owned(),
        sku: text("TEC-01"),
        quantity: amount(quantity),
        unit: text("Pieza"),
        description: "Teclado <en> español & ratón".to_owned(),
        unit_price: price.map(amount),
        customs: customs.iter().map(|number| (*number).to_owned()).collect(),
    };
    let mut document = invoice();
    document.items[0].parts =
        vec![part("2", Some("15.123456"), &["24  48  3009  4001234"]), part("0.5", None, &[])];
    document
}

/// What was returned.
pub(super) fn credit_note() -> Document {
    let mut document = related(Document { kind: DocumentType::Credit, ..invoice() }, "01");
    document.receiver.cfdi_use = "G02".to_owned();
    document.items.truncate(1);
    document
}

/// In the place of another.
pub(super) fn substitute() -> Document {
    related(invoice(), "04")
}

fn related(document: Document, relation: &str) -> Document {
    let relation = Relation { relation: relation.to_owned(), uuids: vec![UUID.to_owned()] };
    Document { related: vec![relation], ..document }
}

/// Goods on the move.
pub(super) fn transfer() -> Document {
    Document {
        kind: DocumentType::Transfer,
        payment_form: None,
        payment_method: None,
        payment_terms: None,
        currency: None,
        receiver: Receiver {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_zip: "42501".to_owned(),
            tax_regime: "601".to_owned(),
            cfdi_use: "S01".to_owned(),
            tax_residence: None,
            foreign_tax_id: None,
        },
        items: vec![item("3", "0", None, &[])],
        ..invoice()
    }
}

/// Half of an invoice in pesos, paid by transfer.
pub(super) fn receipt() -> Document {
    receipt_of(Payment {
        paid_at: datetime!(2026-08-02 12:00:00),
        payment_form: "03".to_owned(),
        currency: Currency::MXN,
        exchange_rate: None,
        amount: amount("580.00"),
        operation: text("SPEI 0001234"),
        payer_account: Some(BankAccount {
            bank_rfc: text("BSM970519DU8"),
            bank_name: None,
            number: text("014180655012345678"),
        }),
        payee_account: Some(BankAccount {
            bank_rfc: text("BBA830831LJ2"),
            bank_name: None,
            number: text("012180001234567891"),
        }),
        documents: vec![paid("1160.00", "580.00", Currency::MXN, Equivalence::ONE)],
    })
}

/// Dollars for an invoice in pesos.
pub(super) fn receipt_in_dollars() -> Document {
    let (pesos, dollars) = (amount("1865.43"), amount("100"));
    let equivalence = Equivalence::of(pesos, dollars).unwrap();
    let documents = vec![paid("1865.43", "1865.43", Currency::MXN, equivalence)];
    in_dollars(dollars, documents)
}

/// Dollars for an invoice in dollars, from a bank abroad.
pub(super) fn receipt_of_dollars() -> Document {
    let dollars = Currency::parse("USD").unwrap();
    let mut document =
        in_dollars(amount("116"), vec![paid("116", "116", dollars, Equivalence::ONE)]);
    document.payments[0].payer_account = Some(BankAccount {
        bank_rfc: text(FOREIGNER),
        bank_name: text("Bank of Contoso"),
        number: None,
    });
    document
}

fn in_dollars(amount: Amount, documents: Vec<PaidDocument>) -> Document {
    let [payment] = receipt().payments.try_into().unwrap();
    receipt_of(Payment {
        currency: Currency::parse("USD").unwrap(),
        exchange_rate: Some(self::amount("18.654321")),
        amount,
        documents,
        ..payment
    })
}

fn receipt_of(payment: Payment) -> Document {
    let mut document = Document {
        kind: DocumentType::Payment,
        items: vec![Item {
            sat_product_key: "84111506".to_owned(),
            sku: None,
            sat_unit_key: "ACT".to_owned(),
            unit: None,
            description: "Pago".to_owned(),
            ..item("1", "0", None, &[])
        }],
        local_taxes: Vec::new(),
        payments: vec![payment],
        payment_form: None,
        payment_method: None,
        payment_terms: None,
        currency: None,
        ..invoice()
    };
    document.receiver.cfdi_use = "CP01".to_owned();
    document
}

/// A part of a document that has IVA and withholds ISR.
fn paid(before: &str, amount: &str, currency: Currency, equivalence: Equivalence) -> PaidDocument {
    let rates = [iva_16(), rate(Tax::Isr, Factor::Tasa, "0.0125", true)];
    let items = [item("1", "1000", None, &rates)];
    let total = Totals::of_items(&items, 2).total;
    let sums: Vec<ItemTax> = items.into_iter().flat_map(|item| item.taxes).collect();
    let amount = self::amount(amount);
    PaidDocument {
        uuid: UUID.to_owned(),
        series: text("A"),
        folio: text("1024"),
        currency,
        equivalence,
        installment: 1,
        balance_before: self::amount(before),
        amount,
        tax_object: "02".to_owned(),
        taxes: PaidDocument::proportional(&sums, amount, total),
    }
}
