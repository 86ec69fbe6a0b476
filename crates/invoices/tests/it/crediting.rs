//! Credit notes: what they take off the invoices they refer to, and give back.

use std::collections::{BTreeSet, HashMap};

use cfdi::document::{DocumentType, Relation};
use invoices::{
    Creditable, Debts, Draft, Invoice, InvoiceId, RefundId, Status, build,
    credit_notes::{Credited, applied, creditable, drafted, lowered, taken},
    receipts::{pay, unpay},
    references::relations,
    settled::Around,
};
use kernel::{Amount, FieldFault};
use proptest::prelude::*;

use super::{
    amount, issuer, now,
    samples::{id, later, of, sale, sale_fields, uuid},
    settling::referrer,
};

/// The draft of a credit note of so much for the invoices of these numbers.
fn note(total: &str, relation: &str, numbers: &[u128]) -> Draft {
    let mut draft = sale(9, Status::Draft).draft;
    assert!(sale_fields().payment_method.is_some());
    draft.kind = DocumentType::Credit;
    draft.payment_method = Some(cfdi::document::PaymentMethod::Pue);
    draft.items[0].unit_price = amount(total);
    let uuids = numbers.iter().map(|number| uuid(*number)).collect();
    draft.related = vec![Relation { relation: relation.to_owned(), uuids }];
    draft
}

fn by_uuid(invoices: &[Invoice]) -> HashMap<String, Invoice> {
    let named = invoices.iter().map(|one| (one.uuid().unwrap().to_owned(), one.clone()));
    named.collect()
}

/// What is left of invoices when these notes have been applied.
fn left(draft: &Draft, invoices: &[Invoice], notes: &[Invoice]) -> Vec<Creditable> {
    let mut credited = HashMap::<InvoiceId, Vec<Credited>>::new();
    for note in notes {
        for applied in &note.applied_to {
            let uuid = note.uuid().map(str::to_owned);
            let one = Credited { uuid, amount: applied.amount };
            credited.entry(applied.invoice).or_default().push(one);
        }
    }
    creditable(draft, &by_uuid(invoices), &credited)
}

fn built(draft: &Draft, creditable: Vec<Creditable>) -> Result<(), Vec<FieldFault>> {
    let own = ["6E1CE7A8-7E2F-4F5E-9B4E-000000000001", "6E1CE7A8-7E2F-4F5E-9B4E-000000000002"];
    let lowers_others = lowered(draft).any(|uuid| !own.contains(&uuid));
    let debts = Debts { creditable, lowers_others, ..Debts::default() };
    build(draft, &issuer(), (InvoiceId::from_u128(1), Some(1)), &debts, now()).map(drop)
}

/// What is around a note of these invoices.
fn around(invoices: &[Invoice]) -> Around {
    Around { owing: invoices.to_vec(), ..Around::default() }
}

/// The stamped credit note of a draft, and the invoices after it.
fn credited(
    number: u128,
    draft: Draft,
    invoices: &[Invoice],
    notes: &[Invoice],
) -> (Invoice, Vec<Invoice>) {
    let left = left(&draft, invoices, notes);
    let debts = Debts { creditable: left.clone(), lowers_others: true, ..Debts::default() };
    let mut note = of(number, draft, &debts, Status::Stamped);
    note.applied_to = applied(&note.document, &left);
    let after = pay(&note, &around(invoices), &BTreeSet::new(), &debts, later()).unwrap();
    (note, after)
}

#[test]
fn a_credit_note_lowers_what_is_owed_and_gives_it_back() {
    let invoice = sale(1, Status::Stamped);
    let (note, after) = credited(2, note("30", "01", &[1]), std::slice::from_ref(&invoice), &[]);
    assert_eq!(note.applied_to[0].amount, amount("30"));
    assert_eq!((after[0].balance, after[0].installments), (Some(amount("70")), 0));
    let back = unpay(&note, &around(&after), later());
    assert_eq!(back[0].balance, invoice.balance);
}

#[test]
fn only_some_relations_of_credit_notes_lower() {
    for (relation, lowers) in
        [("01", true), ("03", true), ("07", true), ("02", false), ("04", false)]
    {
        assert_eq!(lowered(&note("1", relation, &[1])).count() == 1, lowers, "{relation}");
    }
    let sale = Draft { kind: DocumentType::Income, ..note("1", "01", &[1]) };
    assert_eq!(lowered(&sale).count(), 0);
}

#[test]
fn drafts_of_credit_notes_tell_what_they_would_take_off() {
    let invoice = sale(1, Status::Stamped);
    assert_eq!(invoice.balance, Some(amount("100")));
    let of_refund = Draft { refund: Some(RefundId::from_u128(1)), ..note("5", "01", &[1]) };
    let mut replacing = note("5", "01", &[1]);
    replacing.related.push(Relation { relation: "04".to_owned(), uuids: vec![uuid(7)] });
    let of_two = note("5", "01", &[1, 2]);
    for (notes, expected) in [
        (vec![], "0"),
        (vec![note("30", "01", &[1])], "30"),
        (vec![note("30", "01", &[1]), note("20", "03", &[1])], "50"),
        (vec![note("130", "01", &[1])], "100"),
        (vec![note("30", "03", &[1]), of_refund, replacing, of_two, note("5", "02", &[1])], "30"),
    ] {
        let drafts = notes.into_iter().zip(10..);
        let drafts =
            drafts.map(|(note, number)| of(number, note, &Debts::default(), Status::Draft));
        // By whichever relations it refers to the invoice, each takes it off once.
        let mut named: Vec<_> = drafts.map(|draft| referrer(draft, "01")).collect();
        named.extend(named.clone());
        assert_eq!(drafted(&invoice, &named), amount(expected), "{named:?}");
    }
    let stamped = of(2, note("30", "01", &[1]), &Debts::default(), Status::Stamped);
    assert_eq!(drafted(&invoice, &[referrer(stamped, "01")]), Amount::ZERO);
}

#[test]
fn a_draft_may_refer_to_an_invoice_in_several_ways() {
    let mut draft = note("30", "03", &[2, 1]);
    draft.related.push(Relation { relation: "01".to_owned(), uuids: vec![uuid(1)] });
    let both = BTreeSet::from(["01", "03"].map(str::to_owned));
    assert_eq!(relations(&draft, id(1), &uuid(1).to_lowercase()), both);
    assert_eq!(relations(&draft, id(3), &uuid(3)), BTreeSet::new());
}

#[test]
fn credit_notes_never_amount_to_more_than_their_invoice() {
    let invoice = sale(1, Status::Stamped);
    let sales = std::slice::from_ref(&invoice);
    let too_much = note("100.01", "01", &[1]);
    let faults = built(&too_much, left(&too_much, sales, &[])).unwrap_err();
    assert_eq!(faults[0].field, "items");
    assert!(faults[0].problem.to_string().contains("100.01"), "{faults:?}");
    let (first, _) = credited(2, note("60", "03", &[1]), sales, &[]);
    let rest = note("40", "01", &[1]);
    assert_eq!(built(&rest, left(&rest, sales, std::slice::from_ref(&first))), Ok(()));
    let more = note("40.01", "01", &[1]);
    assert!(built(&more, left(&more, sales, std::slice::from_ref(&first))).is_err());
    // One that takes the place of the first may take what the first has.
    let mut instead = note("100", "01", &[1]);
    instead.related.push(Relation { relation: "04".to_owned(), uuids: vec![uuid(2)] });
    assert_eq!(built(&instead, left(&instead, sales, &[first])), Ok(()));
}

/// Naming an invoice twice, or a document of one's own that is no invoice, makes no room.
#[test]
fn what_is_left_does_not_grow_with_what_is_named() {
    let invoice = sale(1, Status::Stamped);
    let sales = std::slice::from_ref(&invoice);
    for numbers in [&[1, 1][..], &[1, 1, 1]] {
        let draft = note("100.01", "01", numbers);
        assert!(built(&draft, left(&draft, sales, &[])).is_err(), "{numbers:?}");
    }
    let mut over = credited(2, note("100", "01", &[1]), sales, &[]).0;
    over.applied_to[0].amount = amount("130");
    let none = left(&note("1", "01", &[1]), sales, &[over]);
    assert_eq!(none[0].left, Amount::ZERO, "never below nothing");
}

#[test]
fn a_credit_note_of_an_earlier_release_counts_with_its_total() {
    let invoice = sale(1, Status::Stamped);
    let mut old = credited(2, note("60", "01", &[1]), std::slice::from_ref(&invoice), &[]).0;
    old.applied_to.clear();
    assert_eq!(taken(&old, &invoice), Some(amount("60")));
    old.status = Status::Cancelled;
    assert_eq!(taken(&old, &invoice), None);
}

#[test]
fn a_credit_note_is_in_the_currency_of_its_invoice() {
    let mut draft = note("10", "01", &[1]);
    draft.currency = kernel::Currency::parse("USD").unwrap();
    draft.exchange_rate = Some(amount("17"));
    let left = left(&draft, &[sale(1, Status::Stamped)], &[]);
    assert_eq!(built(&draft, left).unwrap_err()[0].field, "currency");
}

#[test]
fn several_invoices_are_lowered_in_their_order() {
    let sales = [sale(1, Status::Stamped), sale(2, Status::Stamped)];
    let (note, after) = credited(3, note("130", "01", &[1, 2]), &sales, &[]);
    let taken: Vec<_> = note.applied_to.iter().map(|one| (one.invoice, one.amount)).collect();
    assert_eq!(taken, [(id(1), amount("100")), (id(2), amount("30"))]);
    let balances: Vec<_> = after.iter().map(|one| one.balance.unwrap()).collect();
    assert_eq!(balances, [amount("0"), amount("70")]);
}

#[test]
fn an_invoice_of_elsewhere_may_take_the_rest() {
    let sales = [sale(1, Status::Stamped)];
    let draft = note("130", "01", &[1, 77]);
    assert_eq!(built(&draft, left(&draft, &sales, &[])), Ok(()));
    let (note, _) = credited(3, draft, &sales, &[]);
    assert_eq!(note.applied_to[0].amount, amount("100"));
}

proptest! {
    /// Whatever comes and goes, what is owed is the total less what living credit notes take off.
    #[test]
    fn what_is_left_is_the_total_less_what_is_credited(
        story in prop::collection::vec((1..6_000i64, any::<bool>()), 1..25)
    ) {
        let mut invoices = vec![sale(1, Status::Stamped), sale(2, Status::Stamped)];
        let mut notes: Vec<Invoice> = Vec::new();
        for (number, (centavos, cancels)) in story.into_iter().enumerate() {
            if cancels && !notes.is_empty() {
                let gone = notes.remove(number % notes.len());
                invoices = unpay(&gone, &around(&invoices), later());
            } else {
                let total = Amount::from_micros(centavos * 10_000).to_string();
                let draft = note(&total, "01", &[1, 2]);
                let left = left(&draft, &invoices, &notes);
                if built(&draft, left).is_err() {
                    continue;
                }
                let (note, after) = credited(number as u128 + 9, draft, &invoices, &notes);
                notes.push(note);
                invoices = after;
            }
            for invoice in &invoices {
                let taken = notes.iter().flat_map(|note| &note.applied_to);
                let taken = taken.filter(|applied| applied.invoice == invoice.id);
                let taken = cfdi::decimal::sum(taken.map(|applied| applied.amount));
                prop_assert_eq!(invoice.balance, Some(cfdi::decimal::less(amount("100"), taken)));
                prop_assert!(invoice.balance >= Some(Amount::ZERO));
            }
        }
    }
}
