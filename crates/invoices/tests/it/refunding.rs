//! Credit notes of refunds: exactly what was given back, tax by tax.

use cfdi::{
    decimal,
    document::{DocumentType, PaymentMethod},
    pricing::Stated,
    tax::TaxRate,
    totals::Totals,
};
use invoices::{
    Debts, DraftLocalTax, Fields, Invoice, ItemFields, Known, NewInvoice, RefundId, Status,
    credit_notes::Credited,
    drafting::create,
    papers::{GivenBack, credit_note, held, left, sets, whole_credit_note},
};
use kernel::{Amount, Currency, Refused};
use proptest::prelude::*;

use super::{
    amount, fields_of, known, now,
    samples::{id, later, of, uuid},
};

/// A line: a price in centavos, pieces, a discount in percent, which taxes, and whether these are inside the price.
pub(super) type Line = (i64, i64, i64, usize, bool);

pub(super) fn rates() -> Vec<Vec<TaxRate>> {
    let excise = TaxRate { tax: cfdi::tax::Tax::Ieps, ..TaxRate::iva(80_000) };
    let withheld = TaxRate { tax: cfdi::tax::Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    let fee = TaxRate { rate: Amount::from_micros(100_000), ..withheld };
    let iva_withheld = |micros| TaxRate { withheld: true, ..TaxRate::iva(micros) };
    vec![
        vec![TaxRate::iva(160_000)],
        vec![TaxRate::iva(0)],
        vec![],
        vec![excise, TaxRate::iva(160_000)],
        vec![TaxRate::iva(160_000), withheld],
        vec![TaxRate::iva(160_000), iva_withheld(40_000)],
        vec![TaxRate::iva(160_000), fee, iva_withheld(106_667)],
    ]
}

pub(super) fn item((price, quantity, percent, which, tax_included): &Line) -> ItemFields {
    let gross = Amount::from_micros(price * quantity * 10_000);
    let off = Amount::from_micros(gross.micros() / 100 * percent).rounded(2);
    ItemFields {
        description: Some("Café".to_owned()),
        quantity: Amount::from_micros(quantity * 1_000_000),
        unit_price: Some(Amount::from_micros(price * 10_000)),
        discount: (*percent > 0).then_some(off),
        tax_included: Some(*tax_included),
        taxes: Some(rates()[*which].clone()),
        ..ItemFields::default()
    }
}

/// IEPS of so much per unit.
fn per_unit(rate: &str) -> TaxRate {
    TaxRate {
        tax: cfdi::tax::Tax::Ieps,
        factor: cfdi::tax::Factor::Cuota,
        rate: amount(rate),
        withheld: false,
    }
}

/// A stamped sale of these lines.
pub(super) fn sold(lines: &[Line]) -> Option<Invoice> {
    sale(lines.iter().map(item).collect(), None)
}

/// A stamped sale of these items, with these local taxes.
fn sale(items: Vec<ItemFields>, local_taxes: Option<Vec<DraftLocalTax>>) -> Option<Invoice> {
    let fields = Fields {
        customer: Some(Some(super::customer())),
        items: Some(items),
        local_taxes,
        payment_form: Some(Some("04".to_owned())),
        ..Fields::default()
    };
    let command = NewInvoice { kind: DocumentType::Income, fields, is_to_stamp: false };
    let created = create(&command, id(1), &known(), now()).ok()?;
    Some(of(1, created.invoice.draft, &Debts::default(), Status::Stamped))
}

pub(super) fn given(amount: Amount) -> GivenBack {
    GivenBack {
        refund: Some(RefundId::from_u128(1)),
        goods: None,
        cancelled_order: None,
        amount,
        currency: Currency::MXN,
        payment_form: Some("04".to_owned()),
        ticket: None,
        returned: None,
        kept: Vec::new(),
        discounts_kept: false,
    }
}

/// The account as it is with these credit notes of the sale.
fn with(sale: &Invoice, notes: &[Invoice]) -> Known {
    let mut known = known();
    known.related.insert(uuid(1), sale.clone());
    let credited = |note: &Invoice| Credited { uuid: None, amount: note.totals().total };
    known.credited.insert(sale.id, notes.iter().map(credited).collect());
    known
}

pub(super) fn noted(
    sale: &Invoice,
    given: &GivenBack,
    notes: &[Invoice],
) -> Result<Invoice, Refused<invoices::InvoiceError>> {
    let number = 2 + notes.len() as u128;
    let known = with(sale, notes);
    let created = credit_note(given, sale, notes, id(number), &known, later())?;
    let draft = &created.invoice.draft;
    assert_eq!((draft.refund, draft.goods), (given.refund, given.goods));
    Ok(created.invoice)
}

/// What a tax amounts to.
fn tax(totals: &Totals, rate: TaxRate) -> Amount {
    let own = totals.transferred.iter().filter(|sum| sum.rate == rate).map(|sum| sum.amount);
    decimal::sum(own)
}

fn net(totals: &Totals) -> Amount {
    decimal::less(totals.sub_total, totals.discount.unwrap_or_default())
}

#[test]
fn the_worked_example() {
    let sale = sold(&[(44_082, 1, 0, 0, true), (4_751, 1, 0, 1, true)]).unwrap();
    let note = noted(&sale, &given(amount("100")), &[]).unwrap();
    let totals = note.totals();
    assert_eq!((totals.total, net(&totals)), (amount("100"), amount("87.55")));
    assert_eq!(tax(&totals, TaxRate::iva(160_000)), amount("12.45"));
    let bases: Vec<Amount> = totals.transferred.iter().map(|sum| sum.base).collect();
    assert_eq!(bases, [amount("9.73"), amount("77.82")]);
    assert_eq!(held(&note), Some((uuid(1).as_str(), amount("100"))));
}

#[test]
fn what_comes_back_is_taken_off_its_own_taxes() {
    let sale = sold(&[(44_082, 1, 0, 0, true), (4_751, 1, 0, 1, true)]).unwrap();
    let returned = |centavos| Some(vec![(vec![TaxRate::iva(0)], Amount::from_micros(centavos))]);
    let of_book = GivenBack { returned: returned(47_510_000), ..given(amount("47.51")) };
    let note = noted(&sale, &of_book, &[]).unwrap();
    assert_eq!((note.draft.items.len(), note.draft.related[0].relation.as_str()), (1, "03"));
    assert_eq!(tax(&note.totals(), TaxRate::iva(160_000)), Amount::ZERO);
    // Of the book nothing is left, so what is given back for it once more is of the rest.
    let again = noted(&sale, &of_book, std::slice::from_ref(&note)).unwrap();
    assert_eq!(again.totals().total, amount("47.51"));
    assert_eq!(tax(&again.totals(), TaxRate::iva(160_000)), amount("6.55"));
}

#[test]
fn no_more_is_credited_than_is_left() {
    let sale = sold(&[(10_000, 1, 0, 0, true)]).unwrap();
    let note = noted(&sale, &given(amount("60")), &[]).unwrap();
    let refused = noted(&sale, &given(amount("40.01")), std::slice::from_ref(&note)).unwrap_err();
    let Refused::Invalid(faults) = refused else { panic!("{refused:?}") };
    assert_eq!(fields_of(&faults), ["items"]);
    assert!(faults[0].problem.to_string().contains("only 40.00 is left"), "{faults:?}");
}

/// What is withheld is rounded in each note, so that the notes before may have taken a centavo too much of what was sold,
/// or the first rounding of the last one may be a centavo more than is left.
#[test]
fn the_last_part_is_credited_too_where_taxes_are_withheld() {
    for price in [50_019, 50_280] {
        let sale = sold(&[(price, 1, 0, 4, false)]).unwrap();
        let total = sale.totals().total;
        let first = ["10", "33.3"].map(|percent| decimal::percent(total, amount(percent), 2));
        let last = decimal::less(total, decimal::sum(first));
        let mut notes: Vec<Invoice> = Vec::new();
        for wanted in first.into_iter().chain([last]) {
            let note = noted(&sale, &given(wanted), &notes).unwrap();
            assert_eq!(note.totals().total, wanted);
            notes.push(note);
        }
        let more = noted(&sale, &given(amount("0.01")), &notes).unwrap_err();
        assert!(matches!(more, Refused::Invalid(_)), "{more:?}");
    }
}

#[test]
fn local_taxes_are_given_back_with_the_rest() {
    let lodging =
        DraftLocalTax { name: "ISH".to_owned(), rate: amount("0.03"), base: None, withheld: false };
    let sale = sale(vec![item(&(100_000, 1, 0, 0, false))], Some(vec![lodging])).unwrap();
    assert_eq!(sale.totals().total, amount("1190"));
    for wanted in ["1190", "119", "0.37", "333.33"] {
        let note = noted(&sale, &given(amount(wanted)), &[]).unwrap();
        assert_eq!(note.totals().total, amount(wanted));
    }
}

/// What is sold by the unit bears an amount per unit, of which a part is given back with it.
#[test]
fn amounts_per_unit_are_given_back_in_proportion() {
    let quota = per_unit("5.9");
    let line = ItemFields {
        taxes: Some(vec![quota, TaxRate::iva(160_000)]),
        ..item(&(2_550, 40, 0, 0, true))
    };
    let sale = sale(vec![line], None).unwrap();
    let note = noted(&sale, &given(amount("510")), &[]).unwrap();
    assert_eq!((note.totals().total, note.draft.items[0].quantity), (amount("510"), amount("20")));
    assert_eq!(tax(&note.totals(), quota), amount("118"));
}

/// A credit note that is begun of all of an invoice is of its total, also where the sets of taxes by themselves would be
/// rounded to another.
#[test]
fn all_of_an_invoice_is_credited_to_the_centavo() {
    let quota = per_unit("0.123456");
    let line = ItemFields {
        quantity: amount("3"),
        unit_price: Some(amount("333.335")),
        discount: Some(amount("1.55")),
        taxes: Some(vec![quota, TaxRate::iva(160_000)]),
        ..item(&(1, 1, 0, 0, false))
    };
    let sale = sale(vec![line], None).unwrap();
    assert_eq!((sale.totals().total, begun(&sale)), (amount("1158.64"), amount("1158.64")));
}

/// What a credit note that is begun of all of an invoice amounts to.
fn begun(sale: &Invoice) -> Amount {
    let known = with(sale, &[]);
    create(&whole_credit_note(sale, false), id(2), &known, later()).unwrap().invoice.totals().total
}

#[test]
fn what_was_never_paid_is_waived() {
    let sale = sold(&[(10_000, 1, 0, 0, true)]).unwrap();
    let stated = |method: PaymentMethod, form: &str, installments: u32, is_receipt_due: bool| {
        let mut sale = Invoice { installments, ..sale.clone() };
        sale.document.payment_method = Some(method);
        sale.document.payment_form = Some(form.to_owned());
        whole_credit_note(&sale, is_receipt_due).fields.payment_form.flatten()
    };
    let (pue, ppd) = (PaymentMethod::Pue, PaymentMethod::Ppd);
    for (method, form, installments, is_receipt_due, expected) in [
        (pue, "03", 0, false, Some("03")),
        (ppd, "99", 0, false, Some("15")),
        (ppd, "99", 1, false, None),
        (ppd, "99", 0, true, None),
    ] {
        let form = stated(method, form, installments, is_receipt_due);
        assert_eq!(form.as_deref(), expected, "{method:?} {installments} {is_receipt_due}");
    }
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec((1..300_000_i64, 1..9_i64, 0..40_i64, 0..5_usize, any::<bool>()), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Sets amount to what is paid for their items, and all of it credited at once is what it was.
    #[test]
    fn all_of_it_is_what_it_was(lines in lines()) {
        let Some(sale) = sold(&lines) else { return Ok(()) };
        let totals = sale.totals();
        prop_assume!(totals.total > Amount::ZERO);
        let whole = sets(&sale.document, None);
        let gross = decimal::sum(whole.iter().map(|set| set.gross));
        prop_assert_eq!(gross, totals.before_withholding());
        let note = noted(&sale, &given(totals.total), &[]).unwrap().totals();
        prop_assert_eq!((note.total, net(&note)), (totals.total, net(&totals)));
        prop_assert_eq!(begun(&sale), totals.total);
        prop_assert_eq!(&note.withheld, &totals.withheld);
        for sum in &totals.transferred {
            prop_assert_eq!(tax(&note, sum.rate), sum.amount, "{:?}", sum.rate);
        }
    }

    /// In whatever parts it is given back, each credit note is exactly what was, together they are never more than the sale,
    /// and no tax of a note is further from its share than half a cent, or a cent where several taxes have to be rounded to
    /// meet what was given back.
    #[test]
    fn parts_are_exact_and_never_more_than_the_whole(
        lines in lines(), parts in prop::collection::vec(1..100_i64, 1..6)
    ) {
        let Some(sale) = sold(&lines) else { return Ok(()) };
        let total = sale.totals().total;
        let mut notes: Vec<Invoice> = Vec::new();
        for part in parts {
            let given_before = decimal::sum(notes.iter().map(|note| note.totals().total));
            let rest = decimal::less(total, given_before);
            let wanted = Amount::from_micros(rest.micros() / 100 * part).rounded(2);
            if wanted == Amount::ZERO {
                continue;
            }
            let Ok(note) = noted(&sale, &given(wanted), &notes) else { continue };
            prop_assert_eq!(note.totals().total, wanted);
            notes.push(note);
        }
        let sum = decimal::sum(notes.iter().map(|note| note.totals().total));
        prop_assert!(sum <= total);
        let whole = sets(&sale.document, None);
        let rest = left(&whole, notes.iter().map(|note| &note.document));
        let rest = decimal::sum(rest);
        let gross = decimal::sum(notes.iter().map(|note| note.totals().before_withholding()));
        // Where taxes are withheld, their rounding in each note may take a centavo or so more of what was sold.
        let off = decimal::less(decimal::sum([rest, gross]), sale.totals().before_withholding());
        let of_each = (notes.len() + 1) * (whole.len() + sale.totals().withheld.len());
        let most = if sale.totals().withheld.is_empty() { 0 } else { notes.len() * of_each };
        prop_assert!((0..=10_000 * most as i64).contains(&off.micros()), "{off}");
        for note in &notes {
            let totals = note.totals();
            let taxed = totals.transferred.iter().filter(|sum| sum.amount > Amount::ZERO);
            let most = if taxed.count() > 1 { 10_000 } else { 5_000 };
            for sum in &totals.transferred {
                let exact: Vec<Amount> = note.draft.items.iter()
                    .filter(|item| item.taxes.contains(&sum.rate))
                    .map(|item| {
                        let stated = Stated { quantity: item.quantity, unit_price: item.unit_price.to_owned(),
                            discount: None, tax_included: item.tax_included, rates: &item.taxes };
                        let taxes = stated.amounts().taxes;
                        decimal::sum(taxes.iter().filter(|tax| tax.rate == sum.rate).map(|tax| tax.amount))
                    })
                    .collect();
                let off = decimal::less(sum.amount, decimal::sum(exact)).micros().abs();
                prop_assert!(off <= most, "{off} of {:?}", sum.rate);
            }
        }
    }
}
