//! Credit notes of goods that come back before they are paid.

use invoices::{
    Invoice, ReturnId,
    papers::{Bought, CameBack, GivenBack, held, unpaid},
};
use kernel::{Amount, Currency};

use super::{
    amount,
    refunding::{given, noted, sold},
};

/// Goods of the first line's taxes that came back before they were paid.
fn goods(sale: &Invoice, amount: Amount) -> GivenBack {
    let taxes = sale.draft.items[0].taxes.clone();
    GivenBack::goods(ReturnId::from_u128(1), amount, Currency::MXN, vec![(taxes, amount)])
}

fn came_back(worth: &str) -> CameBack {
    CameBack { worth: amount(worth), later: Amount::ZERO }
}

#[test]
fn goods_that_were_never_paid_are_owed_no_longer() {
    let sale = sold(&[(10_000, 1, 0, 0, true)]).unwrap();
    let sale = Invoice { balance: Some(amount("100")), ..sale };
    let note = noted(&sale, &goods(&sale, amount("30")), &[]).unwrap();
    assert_eq!(note.draft.related[0].relation, "03");
    assert_eq!((note.draft.payment_form.as_deref(), held(&note)), (Some("15"), None));
    let of_refund = noted(&sale, &given(amount("30")), &[]).unwrap();
    let (one, back) = ([note], [of_refund]);
    let (none, one, back): (&[Invoice], &[Invoice], &[Invoice]) = (&[], &one, &back);
    for (charged, paid, worth, notes, expected) in [
        ("70", "0", "30", none, "30"),
        ("0", "0", "100", none, "100"),
        ("70", "40", "30", none, "30"),
        // What was paid of it is credited when it is given back.
        ("30", "40", "70", none, "60"),
        ("70", "100", "30", none, "0"),
        ("70", "90", "30", none, "10"),
        // It came back before the invoice was made, or is credited already.
        ("100", "0", "30", none, "0"),
        ("70", "0", "30", one, "0"),
        ("40", "0", "30", one, "30"),
        // A refund credits what was paid.
        ("70", "0", "30", back, "30"),
    ] {
        let bought = Bought { charged: amount(charged), paid: amount(paid) };
        let credited = unpaid(&sale, notes, bought, came_back(worth));
        assert_eq!(credited, amount(expected), "{bought:?} {worth}");
    }
    let bought = Bought { charged: amount("70"), paid: Amount::ZERO };
    // What came back last is what is not left of the invoice.
    let before = CameBack { later: amount("20"), ..came_back("50") };
    assert_eq!(unpaid(&sale, none, bought, before), amount("10"));
    let receipted = Invoice { balance: Some(amount("20")), ..sale };
    assert_eq!(unpaid(&receipted, none, bought, came_back("30")), amount("20"));
}

#[test]
fn goods_that_were_never_paid_are_credited_less_what_is_withheld_of_them() {
    let sale = sold(&[(100_000, 1, 0, 4, false)]).unwrap();
    let sale = Invoice { balance: Some(amount("1147.5")), ..sale };
    // Half of 1160, of which 12.50 are withheld.
    let bought = Bought { charged: amount("580"), paid: Amount::ZERO };
    let half = unpaid(&sale, &[], bought, came_back("580"));
    assert_eq!(half, amount("573.75"));
    let note = noted(&sale, &goods(&sale, half), &[]).unwrap();
    assert_eq!(note.totals().total, half);
    let rest = Bought { charged: Amount::ZERO, paid: Amount::ZERO };
    assert_eq!(unpaid(&sale, &[note], rest, came_back("580")), half);
    // All of it was paid: nothing is owed any more, though no receipt has said so yet.
    for (charged, worth) in [("0", "1160"), ("580", "580")] {
        let bought = Bought { charged: amount(charged), paid: amount("1147.5") };
        assert_eq!(unpaid(&sale, &[], bought, came_back(worth)), Amount::ZERO);
    }
    // Half was paid, and the other half has come back.
    let bought = Bought { charged: amount("580"), paid: amount("573.75") };
    assert_eq!(unpaid(&sale, &[], bought, came_back("580")), half);
}
