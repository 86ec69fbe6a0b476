//! What is owed of invoices paid in parts, as receipts come and go.

use std::collections::{BTreeSet, HashMap};

use invoices::{
    Debts, Draft, Invoice, InvoiceError, InvoiceId, Status,
    receipts::{owed as owed_of, pay, touched, unpay},
    settled::Around,
};
use kernel::{Amount, Refused};
use proptest::prelude::*;

use super::{
    amount,
    samples::{id, later, of, receipt, sale},
};

fn owed(invoice: &Invoice) -> (Amount, u32) {
    (invoice.balance.unwrap(), invoice.installments)
}

/// What is around a receipt of an invoice: what it takes the place of, and the other receipts.
fn around(invoice: &Invoice, replaced: &[&Invoice], others: &[&Invoice]) -> Around {
    let all = |invoices: &[&Invoice]| invoices.iter().copied().cloned().collect::<Vec<_>>();
    Around {
        replaced: all(replaced),
        owing: all(&[invoice]),
        receipts: all(&[replaced, others].concat()),
        ..Around::default()
    }
}

/// A receipt, stamped over what is owed now, and the invoice after it.
fn receipted(
    number: u128,
    draft: Draft,
    invoice: &Invoice,
    (replaced, others): (&[&Invoice], &[&Invoice]),
) -> Result<(Invoice, Invoice), Refused<InvoiceError>> {
    let paid = HashMap::from([(invoice.id, invoice.clone())]);
    let owed = owed_of(&paid, replaced.iter().copied());
    let seen = Debts { owed, ..Debts::default() };
    let receipt = of(number, draft, &seen, Status::Stamped);
    let around = around(invoice, replaced, others);
    let after = pay(&receipt, &around, &BTreeSet::new(), &seen, later())?;
    Ok((receipt, after[0].clone()))
}

/// The invoice after a receipt of it is cancelled.
fn cancelled(
    receipt: &Invoice,
    invoice: &Invoice,
    (replaced, others): (&[&Invoice], &[&Invoice]),
) -> Invoice {
    unpay(receipt, &around(invoice, replaced, others), later())[0].clone()
}

/// The numbers that a receipt gives its payments.
fn numbers(receipt: &Invoice) -> Vec<u32> {
    let documents = receipt.document.payments.iter().flat_map(|payment| &payment.documents);
    documents.map(|paid| paid.installment).collect()
}

/// Nothing is replaced, and there are no other receipts.
const ALONE: (&[&Invoice], &[&Invoice]) = (&[], &[]);

#[test]
fn a_receipt_takes_off_what_it_pays_and_gives_it_back() {
    let invoice = sale(1, Status::Stamped);
    let draft = receipt(&[(id(1), "30"), (id(1), "20.5")], None);
    let (receipt, paid) = receipted(2, draft, &invoice, ALONE).unwrap();
    let lowered = std::iter::empty();
    assert_eq!(touched(&receipt, &[], lowered), BTreeSet::from([id(1)]));
    assert_eq!(owed(&paid), (amount("49.5"), 2));
    assert_eq!(paid.version, invoice.version + 1);
    assert_eq!(owed(&cancelled(&receipt, &paid, ALONE)), owed(&invoice));
}

#[test]
fn what_is_owed_must_be_what_the_receipt_says() {
    let invoice = sale(1, Status::Stamped);
    let draft = receipt(&[(id(1), "30")], None);
    let paid = HashMap::from([(id(1), invoice.clone())]);
    let seen = Debts { owed: owed_of(&paid, std::iter::empty()), ..Debts::default() };
    let (_, paid) = receipted(2, draft.clone(), &invoice, ALONE).unwrap();
    let late = of(3, draft, &seen, Status::Draft);
    let refused = pay(&late, &around(&paid, &[], &[]), &BTreeSet::new(), &seen, later());
    assert_eq!(refused, Err(Refused::Stale));
    let under_way = BTreeSet::from([id(1)]);
    let refused = pay(&late, &around(&invoice, &[], &[]), &under_way, &seen, later());
    assert_eq!(refused, Err(Refused::Rule(InvoiceError::UnderWay)));
}

#[test]
fn a_replacement_carries_over_what_the_other_has_paid() {
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, ALONE).unwrap();
    let corrected = receipt(&[(id(1), "10")], Some(2));
    let (second, after) = receipted(3, corrected, &paid, (&[&first], &[])).unwrap();
    assert_eq!(owed(&after), (amount("90"), 1));
    assert_eq!(owed(&cancelled(&second, &after, (&[&first], &[]))), owed(&paid));
}

#[test]
fn what_is_paid_twice_while_a_replacement_is_undone_is_not_owed_again() {
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, ALONE).unwrap();
    let corrected = receipt(&[(id(1), "10")], Some(2));
    let (second, paid) = receipted(3, corrected, &paid, (&[&first], &[])).unwrap();
    let (third, paid) = receipted(4, receipt(&[(id(1), "90")], None), &paid, ALONE).unwrap();
    assert_eq!(owed(&paid).0, Amount::ZERO);
    let after = cancelled(&second, &paid, (&[&first], &[&third]));
    assert_eq!(after.outstanding(), Some(Amount::ZERO));
    let after = cancelled(&first, &after, (&[], &[&third]));
    assert_eq!(after.outstanding(), Some(amount("10")), "what is paid beyond is remembered");
}

#[test]
fn what_replaces_an_earlier_receipt_stands_where_that_stood() {
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, ALONE).unwrap();
    let (next, paid) = receipted(3, receipt(&[(id(1), "10")], None), &paid, ALONE).unwrap();
    let corrected = receipt(&[(id(1), "50")], Some(2));
    let (second, after) = receipted(4, corrected, &paid, (&[&first], &[&next])).unwrap();
    let place = |receipt: &Invoice| {
        let told = &receipt.document.payments[0].documents[0];
        (told.installment, told.balance_before)
    };
    assert_eq!(place(&second), (1, amount("100")));
    assert_eq!(owed(&after), (amount("40"), 2));
    let (third, _) = receipted(5, receipt(&[(id(1), "40")], None), &after, ALONE).unwrap();
    assert_eq!(place(&third), (3, amount("40")));
    assert_eq!(owed(&cancelled(&second, &after, (&[&first], &[&next]))), owed(&paid));
}

#[test]
fn the_next_number_follows_the_receipts_that_are_left() {
    let ten = || receipt(&[(id(1), "10")], None);
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, ten(), &invoice, ALONE).unwrap();
    let (second, paid) = receipted(3, ten(), &paid, ALONE).unwrap();
    let (third, paid) = receipted(4, ten(), &paid, ALONE).unwrap();
    // The numbers of later receipts stay taken …
    let without_two = cancelled(&second, &paid, (&[], &[&first, &third]));
    assert_eq!(owed(&without_two), (amount("80"), 3));
    let (fourth, _) = receipted(5, ten(), &without_two, ALONE).unwrap();
    assert_eq!(numbers(&fourth), [4]);
    // … but that of the second is free with the last one.
    let only_one = cancelled(&third, &without_two, (&[], &[&first]));
    assert_eq!(owed(&only_one), (amount("90"), 1));
    let (other_second, _) = receipted(5, ten(), &only_one, ALONE).unwrap();
    assert_eq!(numbers(&other_second), [2]);
    assert_eq!(owed(&cancelled(&first, &only_one, ALONE)), owed(&invoice));
}

#[test]
fn a_receipt_whose_place_is_taken_has_no_number_beside_the_other() {
    let invoice = sale(1, Status::Stamped);
    let two = receipt(&[(id(1), "10"), (id(1), "20")], None);
    let (first, paid) = receipted(2, two, &invoice, ALONE).unwrap();
    let corrected = receipt(&[(id(1), "30")], Some(2));
    let (second, paid) = receipted(3, corrected, &paid, (&[&first], &[])).unwrap();
    assert_eq!((numbers(&second), owed(&paid)), (vec![1], (amount("70"), 1)));
    let (third, paid) = receipted(4, receipt(&[(id(1), "5")], None), &paid, ALONE).unwrap();
    assert_eq!(numbers(&third), [2]);
    // The first is not cancelled yet.
    let after = cancelled(&third, &paid, (&[], &[&first, &second]));
    assert_eq!(owed(&after), (amount("70"), 1));
}

#[test]
fn no_number_is_given_twice_by_what_takes_the_place_of_several_payments() {
    let invoice = sale(1, Status::Stamped);
    let two = receipt(&[(id(1), "10"), (id(1), "20")], None);
    let (first, paid) = receipted(2, two, &invoice, ALONE).unwrap();
    let (third, paid) = receipted(3, receipt(&[(id(1), "5")], None), &paid, ALONE).unwrap();
    assert_eq!((numbers(&first), numbers(&third)), (vec![1, 2], vec![3]));
    let corrected = receipt(&[(id(1), "30")], Some(2));
    let (second, paid) = receipted(4, corrected, &paid, (&[&first], &[&third])).unwrap();
    assert_eq!((numbers(&second), owed(&paid)), (vec![4], (amount("65"), 4)));
}

#[test]
fn what_moves_to_another_invoice_leaves_the_numbers_of_later_receipts_taken() {
    let (invoice, other) = (sale(1, Status::Stamped), sale(9, Status::Stamped));
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, ALONE).unwrap();
    let (next, paid) = receipted(3, receipt(&[(id(1), "10")], None), &paid, ALONE).unwrap();
    let known = HashMap::from([(id(1), paid.clone()), (id(9), other.clone())]);
    let owed_now = owed_of(&known, std::iter::once(&first));
    let seen = Debts { owed: owed_now, ..Debts::default() };
    let moved = of(4, receipt(&[(id(9), "60")], Some(2)), &seen, Status::Stamped);
    let mut around = around(&paid, &[&first], &[&next]);
    around.owing.push(other);
    let after = pay(&moved, &around, &BTreeSet::new(), &seen, later()).unwrap();
    assert_eq!((owed(&after[0]), owed(&after[1])), ((amount("90"), 2), (amount("40"), 1)));
}

proptest! {
    #[test]
    fn what_is_owed_is_the_total_less_what_stamped_receipts_pay(
        story in prop::collection::vec((1..6_000i64, any::<bool>()), 1..25)
    ) {
        let mut invoice = sale(1, Status::Stamped);
        let total = invoice.amount();
        let mut stamped: Vec<(Invoice, Amount)> = Vec::new();
        for (number, (centavos, cancels)) in story.into_iter().enumerate() {
            if cancels && !stamped.is_empty() {
                let (receipt, _) = stamped.remove(number % stamped.len());
                let others: Vec<&Invoice> = stamped.iter().map(|(receipt, _)| receipt).collect();
                invoice = cancelled(&receipt, &invoice, (&[], &others));
            } else {
                let paid = Amount::from_micros(centavos * 10_000).min(owed(&invoice).0);
                if paid == Amount::ZERO {
                    continue;
                }
                let draft = receipt(&[(id(1), &paid.to_string())], None);
                let number = number as u128 + 2;
                let (receipt, after) = receipted(number, draft, &invoice, ALONE).unwrap();
                stamped.push((receipt, paid));
                invoice = after;
            }
            let paid = cfdi::decimal::sum(stamped.iter().map(|(_, paid)| *paid));
            prop_assert_eq!(owed(&invoice).0, cfdi::decimal::less(total, paid));
            prop_assert!(owed(&invoice).0 >= Amount::ZERO);
            let mut given: Vec<u32> = stamped.iter().flat_map(|(one, _)| numbers(one)).collect();
            prop_assert_eq!(invoice.installments, given.iter().max().copied().unwrap_or(0));
            given.sort_unstable();
            prop_assert!(given.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", given);
        }
    }
}

#[test]
fn external_invoices_are_nobodys_matter() {
    let none: BTreeSet<InvoiceId> = touched(&sale(1, Status::Draft), &[], std::iter::empty());
    assert!(none.is_empty());
}
