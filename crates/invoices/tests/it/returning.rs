//! Credit notes of goods that come back before they are paid: what is then owed of an invoice is what its order asks for.

use cfdi::{
    decimal,
    pricing::{Kept, Stated, kept, priced, spread},
    tax::{Tax, TaxRate},
};
use invoices::{
    DraftItem, Invoice, ItemFields, ReturnId,
    credit_notes::lowered,
    papers::{Bought, CameBack, GivenBack, held, unpaid},
};
use kernel::{Amount, Currency};
use proptest::prelude::*;

use super::{
    amount,
    refunding::{Line, given, item, noted, rates, sold},
    samples::uuid,
};

/// What came back, or is left, by the taxes of its lines.
type Parts = Vec<(Vec<TaxRate>, Amount)>;

/// Goods that came back before they were paid, of an order of which nothing else is known.
fn goods(amount: Amount, returned: Parts) -> GivenBack {
    GivenBack::goods(ReturnId::from_u128(1), amount, Currency::MXN, returned, Vec::new())
}

/// So much with the taxes of the first line of a sale.
fn part(sale: &Invoice, amount: Amount) -> Parts {
    vec![(sale.draft.items[0].taxes.clone(), amount)]
}

/// The same of a sale that withholds nothing.
fn bought(sale: &Invoice, charged: &str, paid: &str) -> Bought {
    let asked = amount(charged);
    Bought { asked, kept: part(sale, asked), paid: amount(paid) }
}

fn came_back(sale: &Invoice, worth: &str) -> CameBack {
    let worth = amount(worth);
    CameBack { worth, returned: part(sale, worth) }
}

#[test]
fn goods_that_were_never_paid_are_owed_no_longer() {
    let sale = sold(&[(10_000, 1, 0, 0, true)]).unwrap();
    let sale = Invoice { balance: Some(amount("100")), ..sale };
    let thirty = amount("30");
    let note = noted(&sale, &goods(thirty, part(&sale, thirty)), &[]).unwrap();
    assert_eq!(note.draft.related[0].relation, "03");
    assert_eq!((note.draft.payment_form.as_deref(), held(&note)), (Some("15"), None));
    let of_refund = noted(&sale, &given(thirty), &[]).unwrap();
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
        // Another return before it is still to be credited.
        ("40", "0", "30", none, "30"),
        ("10", "30", "50", none, "30"),
        // A part of it came back before the invoice was made.
        ("90", "0", "50", none, "10"),
        // A refund credits what was paid.
        ("70", "0", "30", back, "30"),
    ] {
        let bought = bought(&sale, charged, paid);
        let credited = unpaid(&sale, notes, &bought, &came_back(&sale, worth));
        assert_eq!(credited, amount(expected), "{bought:?} {worth}");
    }
    let receipted = Invoice { balance: Some(amount("20")), ..sale };
    let bought = bought(&receipted, "70", "0");
    assert_eq!(unpaid(&receipted, &[], &bought, &came_back(&receipted, "30")), amount("20"));
}

#[test]
fn goods_that_were_never_paid_are_credited_less_what_is_withheld_of_them() {
    let sale = sold(&[(100_000, 1, 0, 4, false)]).unwrap();
    let sale = Invoice { balance: Some(amount("1147.5")), ..sale };
    // Half of 1160, of which 12.50 are withheld.
    let (half, gross) = (amount("573.75"), amount("580"));
    let left = |asked: Amount, gross: Amount, paid: Amount| Bought {
        asked,
        kept: part(&sale, gross),
        paid,
    };
    let back = |worth: Amount, gross: Amount| CameBack { worth, returned: part(&sale, gross) };
    assert_eq!(unpaid(&sale, &[], &left(half, gross, Amount::ZERO), &back(half, gross)), half);
    let note = noted(&sale, &goods(half, part(&sale, gross)), &[]).unwrap();
    assert_eq!(note.totals().total, half);
    let none = left(Amount::ZERO, Amount::ZERO, Amount::ZERO);
    assert_eq!(unpaid(&sale, &[note], &none, &back(half, gross)), half);
    // All of it was paid: nothing is owed any more, though no receipt has said so yet.
    let (whole, all) = (amount("1147.5"), amount("1160"));
    let paid = left(Amount::ZERO, Amount::ZERO, whole);
    assert_eq!(unpaid(&sale, &[], &paid, &back(whole, all)), Amount::ZERO);
    let paid = left(half, gross, whole);
    assert_eq!(unpaid(&sale, &[], &paid, &back(half, gross)), Amount::ZERO);
    // Half was paid, and the other half has come back.
    assert_eq!(unpaid(&sale, &[], &left(half, gross, half), &back(half, gross)), half);
}

/// Somebody has added what is withheld to the invoice of an order that knows nothing of it.
#[test]
fn what_an_invoice_alone_withholds_is_taken_off_what_came_back() {
    let sale = sold(&[(100_000, 2, 0, 4, false)]).unwrap();
    assert_eq!(sale.totals().total, amount("2295"));
    let sale = Invoice { balance: Some(amount("2295")), ..sale };
    let piece = amount("1160");
    let parts = || vec![(rates()[0].clone(), piece)];
    let bought = Bought { asked: piece, kept: parts(), paid: Amount::ZERO };
    let back = CameBack { worth: piece, returned: parts() };
    let credited = unpaid(&sale, &[], &bought, &back);
    assert_eq!(credited, amount("1147.5"));
    let note = noted(&sale, &goods(credited, parts()), &[]).unwrap();
    assert_eq!((note.totals().total, &note.draft.items[0].taxes), (credited, &rates()[4]));
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

/// What came back is credited once, though a part of it was paid and is credited with its refund: of two lamps and a transport, one
/// lamp and the transport come back, and then the other lamp.
#[test]
fn what_is_credited_in_two_leaves_the_rest_its_taxes() {
    let sale = sold(&[(116_000, 2, 0, 4, true), (116_000, 1, 0, 5, true)]).unwrap();
    assert_eq!(sale.totals().total, amount("3415"));
    let [lamp, transport] = [4, 5].map(|which| (rates()[which].clone(), amount("1160")));
    let (back, last) = (vec![lamp.clone(), transport], vec![lamp.clone()]);
    let mut notes: Vec<Invoice> = Vec::new();
    for (part, returned, kept) in [
        ("1000", &back, vec![lamp.clone()]),
        ("1267.5", &back, vec![lamp]),
        ("1147.5", &last, vec![]),
    ] {
        let given = GivenBack { kept, ..goods(amount(part), returned.clone()) };
        notes.push(noted(&sale, &given, &notes).unwrap());
    }
    let note = notes.last().unwrap();
    assert_eq!(note.totals().withheld, [(Tax::Isr, amount("12.5"))]);
}

/// An order of these lines, of which so many pieces have come back.
struct Sold {
    items: Vec<ItemFields>,
    /// What is paid for each line.
    paid: Vec<Amount>,
    returned: Vec<i64>,
}

impl Sold {
    fn of(lines: &[Line], total: Amount) -> Self {
        let items: Vec<ItemFields> = lines.iter().map(item).collect();
        let costs: Vec<Amount> = items.iter().map(|item| stated(item).cost()).collect();
        Self { returned: vec![0; items.len()], paid: spread(total, &costs, 2), items }
    }

    /// What is left of each line.
    fn left(&self) -> Vec<Kept> {
        let lines = self.items.iter().zip(&self.paid).zip(&self.returned);
        let left = lines.map(|((item, paid), returned)| {
            let returned = Amount::from_micros(returned * 1_000_000);
            let gone = decimal::share(*paid, returned, item.quantity).rounded(2);
            let quantity = decimal::less(item.quantity, returned);
            Kept { quantity, cost: decimal::less(*paid, gone) }
        });
        left.collect()
    }

    /// What is asked for that.
    fn asked(&self) -> Amount {
        let left = self.left();
        let charged = decimal::sum(left.iter().map(|left| left.cost));
        let lines: Vec<Stated<'_>> = self.items.iter().map(stated).collect();
        let sums = priced(&kept(&lines, &left, None, charged, 2), 2).sums;
        decimal::less(charged, sums.total_withheld.unwrap_or_default())
    }

    /// The costs of lines with their taxes.
    fn by_taxes(&self, costs: impl Iterator<Item = Amount>) -> Parts {
        let taxes = self.items.iter().map(|item| item.taxes.clone().unwrap());
        taxes.zip(costs).collect()
    }

    /// So many pieces of each line more come back, as far as there are any.
    fn take_back(&mut self, back: &[i64]) {
        for ((returned, item), back) in self.returned.iter_mut().zip(&self.items).zip(back) {
            *returned = (*returned + back).min(item.quantity.micros() / 1_000_000);
        }
    }
}

fn stated(item: &ItemFields) -> Stated<'_> {
    Stated {
        quantity: item.quantity,
        unit_price: item.unit_price.unwrap(),
        discount: item.discount,
        tax_included: item.tax_included.unwrap(),
        rates: item.taxes.as_deref().unwrap(),
    }
}

/// What is withheld of parts of a sale as that tax.
fn withheld(parts: &[(Vec<TaxRate>, Amount)], tax: Tax) -> Amount {
    let of_part = |(rates, amount): &(Vec<TaxRate>, Amount)| {
        let quantity = Amount::from_micros(1_000_000);
        let (unit_price, discount) = (*amount, None);
        let part = Stated { quantity, unit_price, discount, tax_included: true, rates };
        let taxes = part.amounts().taxes.into_iter();
        let own = taxes.filter(|own| own.rate.withheld && own.rate.tax == tax);
        decimal::sum(own.map(|own| own.amount))
    };
    decimal::sum(parts.iter().map(of_part))
}

#[test]
fn money_settles_first_what_came_back() {
    let sale = sold(&[(10_000, 1, 0, 4, true), (5_000, 1, 0, 1, true)]).unwrap();
    let [plain, withheld] = [(1, "50"), (4, "100")]
        .map(|(which, worth)| -> Parts { vec![(rates()[which].clone(), amount(worth))] });
    let settling = |worth: &str, notes: &[Invoice]| {
        given(amount(worth)).settling(&sale, notes, (plain.clone(), withheld.clone()))
    };
    let note = noted(&sale, &settling("50", &[]), &[]).unwrap();
    assert_eq!(note.draft.related[0].relation, "03");
    let taxes: Vec<&Vec<TaxRate>> = note.draft.items.iter().map(|item| &item.taxes).collect();
    assert_eq!(taxes, [&rates()[1]]);
    // What is given back after that is a discount on what is kept.
    let more = noted(&sale, &settling("10", std::slice::from_ref(&note)), &[note]).unwrap();
    assert_eq!(more.draft.related[0].relation, "01");
}

/// A refund of more than is owed of goods that came back states these, and apart from them a discount on what is kept.
#[test]
fn what_is_given_back_beyond_goods_is_a_discount() {
    let sale = sold(&[(10_000, 1, 0, 0, true), (10_000, 1, 0, 4, true), (5_000, 1, 0, 1, true)]);
    let sale = sale.unwrap();
    // 1.08 of the second line are withheld.
    assert_eq!(sale.totals().total, amount("248.92"));
    let all = rates();
    let part = |which: usize, worth: &str| (all[which].clone(), amount(worth));
    let (back, kept) = (vec![part(1, "50")], vec![part(0, "100"), part(4, "100")]);
    for (wanted, goods, relations) in [
        ("49.99", "49.99", "03"),
        ("50", "50", "03"),
        ("60", "50", "03 01"),
        ("149.46", "50", "03 01"),
        ("248.92", "50", "03 01"),
    ] {
        let given = given(amount(wanted)).settling(&sale, &[], (back.clone(), kept.clone()));
        let note = noted(&sale, &given, &[]).unwrap();
        assert_eq!(note.totals().total, amount(wanted));
        let named: Vec<&str> = note.draft.related.iter().map(|it| it.relation.as_str()).collect();
        assert_eq!(named.join(" "), relations, "{wanted}");
        let (returned, discounts): (Vec<_>, Vec<_>) =
            note.draft.items.iter().partition(|item| item.description.starts_with("Devolución de"));
        let price = |item: &DraftItem| (item.taxes.clone(), item.unit_price);
        assert_eq!(returned.into_iter().map(price).collect::<Vec<_>>(), [part(1, goods)]);
        let taxes: Vec<_> = discounts.iter().map(|item| &item.taxes).collect();
        let of_kept = if wanted == goods { vec![] } else { vec![&all[0], &all[4]] };
        assert_eq!(taxes, of_kept, "{wanted}");
        // What it takes off the invoice it takes off once.
        assert_eq!(lowered(&note.draft).count(), 1);
        assert_eq!(held(&note), Some((uuid(1).as_str(), amount(wanted))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Whatever comes back of lines of whichever taxes, credited in one or, as where some of it was paid, in two: the notes are of
    /// the taxes of what came back alone, withhold what they do but for rounding each, and leave of the invoice what its order
    /// asks for; all of them together are the invoice.
    #[test]
    fn what_is_open_of_an_invoice_is_what_its_order_asks_for(
        lines in prop::collection::vec(
            (100..300_000_i64, 1..9_i64, 0..40_i64, 0..7_usize, any::<bool>()), 1..7),
        story in prop::collection::vec(
            (prop::collection::vec(0..4_i64, 6), prop_oneof![Just(0_i64), 0..100_i64]), 1..5),
    ) {
        let Some(sale) = sold(&lines) else { return Ok(()) };
        prop_assume!(sale.totals().total > Amount::ZERO);
        let mut order = Sold::of(&lines, sale.totals().before_withholding());
        let mut balance = sale.totals().total;
        prop_assert_eq!(order.asked(), balance);
        let mut notes: Vec<Invoice> = Vec::new();
        let all = (vec![9; 6], 0);
        for (back, percent) in story.iter().chain([&all]) {
            let (before, left) = (order.asked(), order.left());
            order.take_back(back);
            let (asked, kept) = (order.asked(), order.left());
            let gone = left.iter().zip(&kept).map(|(left, kept)| decimal::less(left.cost, kept.cost));
            let returned = order.by_taxes(gone);
            let kept = order.by_taxes(kept.iter().map(|kept| kept.cost));
            let open = Invoice { balance: Some(balance), ..sale.clone() };
            let bought = Bought { asked, kept: kept.clone(), paid: Amount::ZERO };
            let worth = decimal::less(before, asked);
            let came_back = CameBack { worth, returned: returned.clone() };
            let credited = unpaid(&open, &notes, &bought, &came_back);
            balance = decimal::less(balance, credited);
            prop_assert_eq!(balance, asked);
            let first = Amount::from_micros(credited.micros() / 100 * percent).rounded(2);
            let parts = [first, decimal::less(credited, first)];
            let mut own: Vec<Invoice> = Vec::new();
            for part in parts.into_iter().filter(|part| *part > Amount::ZERO) {
                let given = GivenBack { kept: kept.clone(), ..goods(part, returned.clone()) };
                let note = noted(&open, &given, &notes).unwrap();
                prop_assert_eq!(note.totals().total, part);
                for item in &note.draft.items {
                    let is_back = |(taxes, amount): &(Vec<TaxRate>, Amount)| {
                        *taxes == item.taxes && *amount > Amount::ZERO
                    };
                    prop_assert!(returned.iter().any(is_back), "{:?} of {returned:?}", item.taxes);
                }
                notes.push(note.clone());
                own.push(note);
            }
            for tax in [Tax::Isr, Tax::Iva] {
                let stated = own.iter().flat_map(|note| note.totals().withheld);
                let stated = stated.filter(|(own, _)| *own == tax).map(|(_, amount)| amount);
                let off = decimal::less(decimal::sum(stated), withheld(&returned, tax));
                let off = off.micros().unsigned_abs();
                prop_assert!(off <= 10_000 * own.len().max(1) as u64, "{off} of {tax:?}");
            }
        }
        prop_assert_eq!(balance, Amount::ZERO);
    }
}
