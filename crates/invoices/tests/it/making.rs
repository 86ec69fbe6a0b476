//! Drafts from fields: what follows from what, and what is refused.

use cfdi::{
    document::{DocumentType, PaymentMethod, Receiver, Relation},
    tax::{Tax, TaxRate},
};
use invoices::{
    Debts, Draft, Fields, ItemFields, Known, Status, fields, sales::SoldShipping,
    withheld::states_less,
};
use kernel::{Amount, Currency};
use proptest::prelude::*;

use super::{
    amount, customer, fields_of, known, order, product, refunding,
    samples::{self, of, uuid},
    sold, taxed,
};

fn item(description: &str, price: &str) -> ItemFields {
    ItemFields {
        description: Some(description.to_owned()),
        quantity: amount("1"),
        unit_price: Some(amount(price)),
        ..ItemFields::default()
    }
}

fn sale() -> Fields {
    Fields {
        customer: Some(Some(customer())),
        items: Some(vec![item("Café", "100")]),
        ..Fields::default()
    }
}

#[test]
fn what_is_not_said_follows_from_what_is() {
    let draft = fields::create(DocumentType::Income, sale(), &known()).unwrap();
    assert_eq!(draft.series, "F");
    assert_eq!(draft.receiver.rfc, "CACX7605101P8");
    assert_eq!(draft.receiver.cfdi_use, "G03");
    assert_eq!(draft.payment_method, Some(PaymentMethod::Pue));
    assert_eq!(draft.items[0].sat_product_key, "01010101");
    assert_eq!(draft.items[0].sat_unit_key, "H87");
    assert!(draft.items[0].tax_included);
    assert_eq!(draft.items[0].taxes, known().issuer.default_taxes);
}

#[test]
fn a_sale_paid_later_has_a_form_still_to_be_known() {
    let later = Fields { payment_method: Some(Some(PaymentMethod::Ppd)), ..sale() };
    let draft = fields::create(DocumentType::Income, later, &known()).unwrap();
    assert_eq!(draft.payment_form.as_deref(), Some("99"));
}

#[test]
fn what_is_no_object_of_tax_bears_none() {
    let untaxed = ItemFields { tax_object: Some("01".to_owned()), ..item("Multa", "100") };
    let named = Fields { items: Some(vec![untaxed]), ..sale() };
    let draft = fields::create(DocumentType::Income, named, &known()).unwrap();
    assert!(draft.items[0].taxes.is_empty());
}

#[test]
fn items_are_filled_from_their_products() {
    let mut known = known();
    known.products.insert(product(1), taxed(Vec::new()));
    let named = ItemFields {
        product: Some(product(1)),
        quantity: amount("2"),
        sku: Some("OWN".to_owned()),
        ..ItemFields::default()
    };
    let fields = Fields { items: Some(vec![named]), ..sale() };
    let draft = fields::create(DocumentType::Income, fields, &known).unwrap();
    let item = &draft.items[0];
    assert_eq!((item.description.as_str(), item.sku.as_deref()), ("Café", Some("OWN")));
    assert_eq!((item.unit_price, item.sat_product_key.as_str()), (amount("10"), "50201706"));
}

#[test]
fn everything_that_is_missing_is_named_at_once() {
    let cases: [(DocumentType, Fields, &[&str]); 6] = [
        (DocumentType::Income, Fields::default(), &["items", "receiver"]),
        (DocumentType::Payment, Fields::default(), &["payments", "receiver"]),
        (DocumentType::Income, Fields { orders: Some(vec![order(9)]), ..sale() }, &["orderId"]),
        (
            DocumentType::Income,
            Fields { orders: Some(vec![order(8), order(9)]), ..sale() },
            &["orderIds[0]", "orderIds[1]"],
        ),
        (
            DocumentType::Income,
            Fields {
                items: Some(vec![
                    ItemFields { product: Some(product(9)), ..ItemFields::default() },
                    ItemFields { description: None, ..item("", "1") },
                    ItemFields { unit_price: None, ..item("Café", "1") },
                ]),
                ..sale()
            },
            &["items[0].productId", "items[1].description", "items[2].unitPrice"],
        ),
        (
            DocumentType::Income,
            Fields { customer: Some(Some(invoices::CustomerId::from_u128(9))), ..sale() },
            &["customerId"],
        ),
    ];
    for (kind, fields, named) in cases {
        let faults = fields::create(kind, fields, &known()).unwrap_err();
        assert_eq!(fields_of(&faults), named, "{faults:?}");
    }
}

#[test]
fn a_customer_without_tax_data_is_told_what_is_missing() {
    let mut known = known();
    known.customers.get_mut(&customer()).unwrap().tax_zip = None;
    known.customers.get_mut(&customer()).unwrap().rfc = None;
    let faults = fields::create(DocumentType::Income, sale(), &known).unwrap_err();
    assert!(faults[0].problem.to_string().contains("rfc, taxZip"), "{faults:?}");
    // The customer of an order, too.
    known.products.insert(product(1), taxed(Vec::new()));
    known.orders.insert(order(1), sold(&[(1, 1, 100)]));
    let of_order = Fields { orders: Some(vec![order(1)]), ..Fields::default() };
    let faults = fields::create(DocumentType::Income, of_order, &known).unwrap_err();
    assert_eq!(fields_of(&faults), ["customerId"], "{faults:?}");
}

#[test]
fn several_orders_need_a_period_and_one_currency() {
    let mut known = known();
    known.orders.insert(order(1), sold(&[(1, 1, 100)]));
    known.orders.insert(order(2), sold(&[(1, 1, 100)]));
    let both = Fields { orders: Some(vec![order(1), order(2)]), ..Fields::default() };
    let faults = fields::create(DocumentType::Income, both.clone(), &known).unwrap_err();
    assert!(faults[0].problem.to_string().contains("global"), "{faults:?}");
    known.orders.get_mut(&order(2)).unwrap().currency = Currency::parse("USD").unwrap();
    let faults = fields::create(DocumentType::Income, both, &known).unwrap_err();
    assert!(faults[0].problem.to_string().contains("one currency"), "{faults:?}");
}

#[test]
fn a_change_leaves_the_rest_alone() {
    let before = fields::create(DocumentType::Income, sale(), &known()).unwrap();
    let after = fields::changed(before.clone(), Fields::default(), &known()).unwrap();
    assert_eq!(after, before);
    let form = Fields { payment_form: Some(Some("03".to_owned())), ..Fields::default() };
    let after = fields::changed(before.clone(), form, &known()).unwrap();
    assert_eq!(after.payment_form.as_deref(), Some("03"));
    let cleared = Fields { payment_form: Some(None), ..Fields::default() };
    assert_eq!(fields::changed(after, cleared, &known()).unwrap(), before);
}

/// IVA, and ISR that legal persons withhold.
fn withheld() -> Vec<TaxRate> {
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    vec![TaxRate::iva(160_000), isr]
}

/// What of that is charged to everybody.
fn charged() -> Vec<TaxRate> {
    vec![TaxRate::iva(160_000)]
}

/// An account with a product that bears those taxes, and an order of it that is sent, by a customer of this RFC.
fn selling_to(rfc: &str) -> Known {
    let mut known = known();
    known.customers.get_mut(&customer()).unwrap().rfc = Some(rfc.to_owned());
    known.products.insert(product(1), taxed(withheld()));
    let name = "Estafeta".to_owned();
    let shipping = SoldShipping { name, amount: amount("99"), taxes: withheld() };
    let mut sent = sold(&[(1, 1, 100)]);
    sent.shipping = Some(shipping);
    known.orders.insert(order(1), sent);
    known
}

/// A piece of that product.
fn piece() -> ItemFields {
    ItemFields { product: Some(product(1)), quantity: amount("1"), ..ItemFields::default() }
}

fn of_order() -> Fields {
    Fields { orders: Some(vec![order(1)]), ..Fields::default() }
}

fn of_product() -> Fields {
    Fields { items: Some(vec![piece()]), ..sale() }
}

const COMPANY: &str = "URE180429TM6";
const PERSON: &str = "CACX7605101P8";

#[test]
fn only_legal_persons_are_invoiced_what_is_withheld() {
    for (rfc, taxes) in [
        (COMPANY, withheld()),
        (PERSON, charged()),
        ("XAXX010101000", charged()),
        ("XEXX010101000", charged()),
    ] {
        let mut known = selling_to(rfc);
        known.issuer.default_taxes = withheld();
        for (named, count) in [(of_order(), 2), (of_product(), 1), (sale(), 1)] {
            let draft = fields::create(DocumentType::Income, named, &known).unwrap();
            assert_eq!(draft.items.len(), count);
            assert!(draft.items.iter().all(|item| item.taxes == taxes), "{rfc} {:?}", draft.items);
        }
    }
}

#[test]
fn what_was_withheld_when_it_was_paid_is_invoiced_with_it() {
    // The company is invoiced 1.25 % of the product and of the shipping as withheld.
    for (rfc, withheld, is_refused) in [
        (COMPANY, "1.05", false),
        (COMPANY, "20", true),
        (PERSON, "0.01", true),
        ("XAXX010101000", "0.01", true),
    ] {
        let mut known = selling_to(rfc);
        let create = |known: &Known| fields::create(DocumentType::Income, of_order(), known);
        assert!(create(&known).is_ok());
        known.orders.get_mut(&order(1)).unwrap().withheld = amount(withheld);
        match create(&known) {
            Ok(draft) => assert!(!is_refused, "{rfc} {withheld} {:?}", draft.items),
            Err(faults) => {
                assert!(is_refused, "{rfc} {withheld}");
                assert_eq!(fields_of(&faults), ["orderId"]);
            }
        }
    }
}

/// A sale of lines, and what it states as withheld of them.
fn stating(lines: &[refunding::Line]) -> (Draft, Amount) {
    let items = Some(lines.iter().map(refunding::item).collect());
    let draft = fields::create(DocumentType::Income, Fields { items, ..sale() }, &known()).unwrap();
    let invoice = of(1, draft.clone(), &Debts::default(), Status::Stamped);
    (draft, invoice.totals().total_withheld.unwrap())
}

proptest! {
    /// What is withheld of orders is stated by one line for each set of their taxes as well as by all of theirs, but for a centavo
    /// of each tax and order. Two are stated less, however many lines there are.
    #[test]
    fn what_is_withheld_is_rounded_once_for_each_tax(
        orders in prop::collection::vec(
            prop::collection::vec((100_i64..300_000, 1_i64..9, 4_usize..7), 1..30), 1..4
        ),
    ) {
        let line = |(price, quantity, which): &(i64, i64, usize)| (*price, *quantity, 0, *which, true);
        let lines: Vec<refunding::Line> = orders.iter().flatten().map(line).collect();
        let merged: Vec<refunding::Line> = (4..7)
            .map(|which| {
                let own = lines.iter().filter(|(.., of, _)| *of == which);
                (own.map(|(price, quantity, ..)| price * quantity).sum::<i64>(), 1, 0, which, true)
            })
            .filter(|(price, ..)| *price > 0)
            .collect();
        let withheld: Vec<(Currency, Amount)> = orders
            .iter()
            .map(|lines| stating(&lines.iter().map(line).collect::<Vec<_>>()).1)
            .map(|withheld| (Currency::MXN, withheld))
            .collect();
        let has = |own: [usize; 2]| lines.iter().any(|(.., which, _)| own.contains(which));
        // ISR, and IVA.
        let taxes = i64::from(has([4, 6])) + i64::from(has([5, 6]));
        for lines in [&lines, &merged] {
            let (draft, stated) = stating(lines);
            prop_assert!(!states_less(&draft, &withheld), "{stated} of {withheld:?}");
            for (centavos, is_less) in [(taxes, false), (taxes + 1, true)] {
                let more = Amount::from_micros(stated.micros() + centavos * 10_000);
                prop_assert_eq!(states_less(&draft, &[(Currency::MXN, more)]), is_less);
            }
        }
    }
}

#[test]
fn what_is_stated_is_withheld_whoever_buys() {
    let stated = ItemFields { taxes: Some(withheld()), ..piece() };
    let named = Fields { items: Some(vec![stated]), ..of_order() };
    let draft = fields::create(DocumentType::Income, named, &selling_to(PERSON)).unwrap();
    assert_eq!(draft.items[0].taxes, withheld());
}

#[test]
fn who_receives_a_draft_decides_rather_than_who_ordered() {
    for (ordered, received, taxes) in [(COMPANY, PERSON, charged()), (PERSON, COMPANY, withheld())]
    {
        let known = selling_to(ordered);
        let before = fields::create(DocumentType::Income, of_order(), &known).unwrap();
        let receiver = Receiver { rfc: received.to_owned(), ..before.receiver.clone() };
        let made_out = Fields { receiver: Some(receiver), ..Fields::default() };
        // As if it had been made for whom it is made out to now, and back.
        let after = fields::changed(before.clone(), made_out.clone(), &known).unwrap();
        assert_eq!(after.items.len(), 2);
        assert!(after.items.iter().all(|item| item.taxes == taxes), "{received}");
        let back = Fields { receiver: Some(before.receiver.clone()), ..Fields::default() };
        assert_eq!(fields::changed(after, back, &known).unwrap(), before);
        let at_once = Fields { orders: Some(vec![order(1)]), ..made_out };
        let made = fields::create(DocumentType::Income, at_once, &known).unwrap();
        assert!(made.items.iter().all(|item| item.taxes == taxes), "{received}");
    }
}

#[test]
fn taxes_follow_the_receiver_unless_they_are_stated() {
    for (from, to, taxes) in [(COMPANY, PERSON, charged()), (PERSON, COMPANY, withheld())] {
        let known = selling_to(from);
        let before = fields::create(DocumentType::Income, of_product(), &known).unwrap();
        let receiver = Receiver { rfc: to.to_owned(), ..before.receiver.clone() };
        let made_out =
            |items| Fields { receiver: Some(receiver.clone()), items, ..Fields::default() };
        let changed = |draft: &Draft, told| fields::changed(draft.clone(), told, &known).unwrap();
        assert_eq!(changed(&before, made_out(None)).items[0].taxes, taxes, "{to}");
        // Given as they were they follow, too; given as others they do not.
        let was = before.items[0].taxes.clone();
        for (taxes_follow, wanted) in [(true, &taxes), (false, &was)] {
            let given = ItemFields { taxes: Some(was.clone()), taxes_follow, ..piece() };
            let after = changed(&before, made_out(Some(vec![given])));
            assert_eq!(after.items[0].taxes, *wanted, "{to} {taxes_follow}");
        }
        let others = vec![TaxRate::iva(80_000)];
        let given = ItemFields { taxes: Some(others.clone()), ..piece() };
        let told = Fields { items: Some(vec![given]), ..Fields::default() };
        let stated = changed(&before, told);
        assert_eq!(changed(&stated, made_out(None)).items[0].taxes, others);
    }
}

#[test]
fn a_credit_note_of_products_is_of_whom_its_invoice_is() {
    for (rfc, taxes) in [(COMPANY, withheld()), (PERSON, charged())] {
        let mut sale = samples::sale(1, Status::Draft).draft;
        rfc.clone_into(&mut sale.receiver.rfc);
        let mut known = selling_to(PERSON);
        known.related.insert(uuid(1), of(1, sale, &Debts::default(), Status::Stamped));
        let related = vec![Relation { relation: "01".to_owned(), uuids: vec![uuid(1)] }];
        let named =
            Fields { items: Some(vec![piece()]), related: Some(related), ..Fields::default() };
        let note = fields::create(DocumentType::Credit, named, &known).unwrap();
        assert_eq!((note.receiver.rfc.as_str(), &note.items[0].taxes), (rfc, &taxes));
    }
}
