//! What is owed of invoices paid in parts, as receipts come and go.

use std::collections::{BTreeSet, HashMap};

use invoices::{
    Debts, Draft, Invoice, InvoiceError, InvoiceId, Status,
    receipts::{owed as owed_of, pay, touched, unpay},
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

/// A receipt, stamped over what is owed now, and the invoice after it.
fn receipted(
    number: u128,
    draft: Draft,
    invoice: &Invoice,
    replaced: &[Invoice],
) -> Result<(Invoice, Invoice), Refused<InvoiceError>> {
    let paid = HashMap::from([(invoice.id, invoice.clone())]);
    let seen = Debts { owed: owed_of(&paid, replaced.iter()), ..Debts::default() };
    let receipt = of(number, draft, &seen, Status::Stamped);
    let owing = [invoice.clone()];
    let after = pay(&receipt, replaced, &owing, &BTreeSet::new(), &seen, later())?;
    Ok((receipt, after[0].clone()))
}

#[test]
fn a_receipt_takes_off_what_it_pays_and_gives_it_back() {
    let invoice = sale(1, Status::Stamped);
    let draft = receipt(&[(id(1), "30"), (id(1), "20.5")], None);
    let (receipt, paid) = receipted(2, draft, &invoice, &[]).unwrap();
    let lowered = std::iter::empty();
    assert_eq!(touched(&receipt, &[], lowered), BTreeSet::from([id(1)]));
    assert_eq!(owed(&paid), (amount("49.5"), 2));
    assert_eq!(paid.version, invoice.version + 1);
    let back = unpay(&receipt, &[], &[paid], later());
    assert_eq!(owed(&back[0]), owed(&invoice));
}

#[test]
fn what_is_owed_must_be_what_the_receipt_says() {
    let invoice = sale(1, Status::Stamped);
    let draft = receipt(&[(id(1), "30")], None);
    let paid = HashMap::from([(id(1), invoice.clone())]);
    let seen = Debts { owed: owed_of(&paid, std::iter::empty()), ..Debts::default() };
    let (_, paid) = receipted(2, draft.clone(), &invoice, &[]).unwrap();
    let late = of(3, draft, &seen, Status::Draft);
    let refused = pay(&late, &[], &[paid], &BTreeSet::new(), &seen, later());
    assert_eq!(refused, Err(Refused::Stale));
    let under_way = BTreeSet::from([id(1)]);
    let refused = pay(&late, &[], &[invoice], &under_way, &seen, later());
    assert_eq!(refused, Err(Refused::Rule(InvoiceError::UnderWay)));
}

#[test]
fn a_replacement_carries_over_what_the_other_has_paid() {
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, &[]).unwrap();
    let corrected = receipt(&[(id(1), "10")], Some(2));
    let (second, after) = receipted(3, corrected, &paid, std::slice::from_ref(&first)).unwrap();
    assert_eq!(owed(&after), (amount("90"), 1));
    let undone = unpay(&second, &[first], &[after], later());
    assert_eq!(owed(&undone[0]), owed(&paid));
}

#[test]
fn what_is_paid_twice_while_a_replacement_is_undone_is_not_owed_again() {
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, &[]).unwrap();
    let corrected = receipt(&[(id(1), "10")], Some(2));
    let (second, paid) = receipted(3, corrected, &paid, std::slice::from_ref(&first)).unwrap();
    let (_, paid) = receipted(4, receipt(&[(id(1), "90")], None), &paid, &[]).unwrap();
    assert_eq!(owed(&paid).0, Amount::ZERO);
    let after = unpay(&second, std::slice::from_ref(&first), &[paid], later());
    assert_eq!(after[0].outstanding(), Some(Amount::ZERO));
    let after = unpay(&first, &[], &after, later());
    assert_eq!(after[0].outstanding(), Some(amount("10")), "what is paid beyond is remembered");
}

#[test]
fn what_replaces_an_earlier_receipt_stands_where_that_stood() {
    let invoice = sale(1, Status::Stamped);
    let (first, paid) = receipted(2, receipt(&[(id(1), "60")], None), &invoice, &[]).unwrap();
    let (_, paid) = receipted(3, receipt(&[(id(1), "10")], None), &paid, &[]).unwrap();
    let corrected = receipt(&[(id(1), "50")], Some(2));
    let (second, after) = receipted(4, corrected, &paid, std::slice::from_ref(&first)).unwrap();
    let place = |receipt: &Invoice| {
        let told = &receipt.document.payments[0].documents[0];
        (told.installment, told.balance_before)
    };
    assert_eq!(place(&second), (1, amount("100")));
    assert_eq!(owed(&after), (amount("40"), 2));
    let (third, _) = receipted(5, receipt(&[(id(1), "40")], None), &after, &[]).unwrap();
    assert_eq!(place(&third), (3, amount("40")));
    let undone = unpay(&second, &[first], &[after], later());
    assert_eq!(owed(&undone[0]), owed(&paid));
}

#[test]
fn the_numbers_of_later_receipts_stay_taken() {
    let invoice = sale(1, Status::Stamped);
    let ten = || receipt(&[(id(1), "10")], None);
    let (first, paid) = receipted(2, ten(), &invoice, &[]).unwrap();
    let (_, paid) = receipted(3, ten(), &paid, &[]).unwrap();
    let after = unpay(&first, &[], &[paid], later());
    assert_eq!(owed(&after[0]), (amount("90"), 2));
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
                invoice = unpay(&receipt, &[], &[invoice], later())[0].clone();
            } else {
                let paid = Amount::from_micros(centavos * 10_000).min(owed(&invoice).0);
                if paid == Amount::ZERO {
                    continue;
                }
                let draft = receipt(&[(id(1), &paid.to_string())], None);
                let number = number as u128 + 2;
                let (receipt, after) = receipted(number, draft, &invoice, &[]).unwrap();
                stamped.push((receipt, paid));
                invoice = after;
            }
            let paid = cfdi::decimal::sum(stamped.iter().map(|(_, paid)| *paid));
            prop_assert_eq!(owed(&invoice).0, cfdi::decimal::less(total, paid));
            prop_assert!(owed(&invoice).0 >= Amount::ZERO);
            prop_assert!(invoice.installments as usize >= stamped.len());
        }
    }
}

#[test]
fn external_invoices_are_nobodys_matter() {
    let none: BTreeSet<InvoiceId> = touched(&sale(1, Status::Draft), &[], std::iter::empty());
    assert!(none.is_empty());
}
