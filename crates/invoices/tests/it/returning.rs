//! Credit notes of goods that come back before they are paid.

use cfdi::tax::{Tax, TaxRate};
use invoices::{
    Invoice, ReturnId,
    papers::{Bought, CameBack, GivenBack, held, unpaid},
};
use kernel::{Amount, Currency};

use super::{
    amount,
    refunding::{given, noted, sold},
};

/// What came back, by the taxes of its lines.
type Parts = Vec<(Vec<TaxRate>, Amount)>;

/// Goods that came back before they were paid.
fn goods(amount: Amount, returned: Parts) -> GivenBack {
    GivenBack::goods(ReturnId::from_u128(1), amount, Currency::MXN, returned)
}

/// So much with the taxes of the first line of a sale.
fn part(sale: &Invoice, amount: Amount) -> Parts {
    vec![(sale.draft.items[0].taxes.clone(), amount)]
}

fn came_back(worth: &str) -> CameBack {
    CameBack { worth: amount(worth), later: Amount::ZERO }
}

#[test]
fn goods_that_were_never_paid_are_owed_no_longer() {
    let sale = sold(&[(10_000, 1, 0, 0, true)]).unwrap();
    let sale = Invoice { balance: Some(amount("100")), ..sale };
    let note = noted(&sale, &goods(amount("30"), part(&sale, amount("30"))), &[]).unwrap();
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
    let note = noted(&sale, &goods(half, part(&sale, half)), &[]).unwrap();
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

/// Each of a lamp (ISR), its transport (IVA) and a vase of which nothing is withheld is credited as it was sold.
#[test]
fn each_line_is_credited_with_what_is_withheld_of_it() {
    let of_all = [(116_000, 1, 0, 4, true), (116_000, 1, 0, 5, true), (50_000, 1, 0, 0, true)];
    let sale = sold(&of_all).unwrap();
    assert_eq!(sale.totals().total, amount("2767.5"));
    let mut notes: Vec<Invoice> = Vec::new();
    for (line, gross, net, withheld) in [
        (1, "1160", "1120", vec![(Tax::Iva, amount("40"))]),
        (2, "500", "500", vec![]),
        (0, "1160", "1147.5", vec![(Tax::Isr, amount("12.5"))]),
    ] {
        let taxes = sale.draft.items[line].taxes.clone();
        let given = goods(amount(net), vec![(taxes.clone(), amount(gross))]);
        let note = noted(&sale, &given, &notes).unwrap();
        assert_eq!((note.totals().total, note.totals().withheld), (amount(net), withheld));
        assert_eq!(note.draft.items.iter().map(|item| &item.taxes).collect::<Vec<_>>(), [&taxes]);
        notes.push(note);
    }
}

/// Of one piece 39.18 are withheld, but of two 78.35: the first that comes back takes a cent more off than it amounts to alone.
#[test]
fn a_cent_of_rounding_is_of_the_taxes_of_what_came_back() {
    let sale = sold(&[(21_990, 2, 0, 6, true), (50_000, 1, 0, 0, true)]).unwrap();
    let taxes = sale.draft.items[0].taxes.clone();
    let returned = vec![(taxes.clone(), amount("219.9"))];
    let note = noted(&sale, &goods(amount("180.73"), returned), &[]).unwrap();
    assert_eq!(note.totals().total, amount("180.73"));
    assert_eq!(note.draft.items.iter().map(|item| &item.taxes).collect::<Vec<_>>(), [&taxes]);
}
