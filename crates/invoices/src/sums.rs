//! What invoices add up to, by type, status and currency.

use std::collections::BTreeMap;

use cfdi::{
    document::DocumentType,
    tax::{ItemTax, Tax},
    totals::Totals,
};
use kernel::{Amount, Currency, FieldFault, Sum, Timestamp, message};

use crate::{Invoice, InvoiceFilter, Status};

/// The most days whose invoices are summed up.
pub const DAYS_MAX: i64 = 366;

/// The order of the sums.
const KINDS: &[DocumentType] =
    &[DocumentType::Income, DocumentType::Credit, DocumentType::Payment, DocumentType::Transfer];

/// The sums of a document, or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// What the items amount to.
    pub subtotal: Sum,
    /// What is taken off.
    pub discount: Sum,
    /// IVA that is part of the price.
    pub transferred_iva: Sum,
    /// IEPS that is part of the price.
    pub transferred_ieps: Sum,
    /// ISR that the receiver keeps back.
    pub withheld_isr: Sum,
    /// IVA that the receiver keeps back.
    pub withheld_iva: Sum,
    /// IEPS that the receiver keeps back.
    pub withheld_ieps: Sum,
    /// What states and municipalities levy.
    pub local_charged: Sum,
    /// What is withheld of that kind.
    pub local_withheld: Sum,
}

impl Figures {
    /// Those of a document.
    #[must_use]
    pub fn of(totals: &Totals) -> Self {
        let transferred = |tax: Tax| {
            let own = totals.transferred.iter().filter(move |sum| sum.rate.tax == tax);
            own.map(|ItemTax { amount, .. }| Sum::from(*amount)).sum()
        };
        let withheld = |tax: Tax| {
            let own = totals.withheld.iter().filter(move |(withheld, _)| *withheld == tax);
            own.map(|(_, amount)| Sum::from(*amount)).sum()
        };
        Self {
            subtotal: totals.sub_total.into(),
            discount: totals.discount.unwrap_or_default().into(),
            transferred_iva: transferred(Tax::Iva),
            transferred_ieps: transferred(Tax::Ieps),
            withheld_isr: withheld(Tax::Isr),
            withheld_iva: withheld(Tax::Iva),
            withheld_ieps: withheld(Tax::Ieps),
            local_charged: totals.local_charged.into(),
            local_withheld: totals.local_withheld.into(),
        }
    }

    fn add(&mut self, more: Self) {
        self.subtotal += more.subtotal;
        self.discount += more.discount;
        self.transferred_iva += more.transferred_iva;
        self.transferred_ieps += more.transferred_ieps;
        self.withheld_isr += more.withheld_isr;
        self.withheld_iva += more.withheld_iva;
        self.withheld_ieps += more.withheld_ieps;
        self.local_charged += more.local_charged;
        self.local_withheld += more.local_withheld;
    }
}

/// What the invoices of one type, status and currency add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// What they are.
    pub kind: DocumentType,
    /// Their status.
    pub status: Status,
    /// Their currency.
    pub currency: Currency,
    /// How many there are.
    pub count: u64,
    /// The sums of their documents.
    pub figures: Figures,
    /// What the receivers pay.
    pub total: Sum,
    /// What was paid, in pesos, of receipts of payments: their documents have no total.
    pub paid: Sum,
    /// What is still owed of those that are paid in parts.
    pub balance: Sum,
}

impl Sums {
    /// Those of `count` invoices that [amount](Invoice::amount) to something, with the other sums of them.
    #[must_use]
    pub fn of_amount(
        (kind, status, currency): (DocumentType, Status, Currency),
        count: u64,
        figures: Figures,
        (amount, balance): (Sum, Sum),
    ) -> Self {
        let (total, paid) = match kind {
            DocumentType::Payment => (Sum::default(), amount),
            _ => (amount, Sum::default()),
        };
        Self { kind, status, currency, count, figures, total, paid, balance }
    }

    /// Those of one invoice.
    #[must_use]
    pub fn of(invoice: &Invoice) -> Self {
        let group = (invoice.draft.kind, invoice.status, invoice.draft.currency);
        let balance = invoice.outstanding().unwrap_or(Amount::ZERO);
        let amounts = (invoice.amount().into(), balance.into());
        Self::of_amount(group, 1, Figures::of(&invoice.totals()), amounts)
    }
}

/// Sums by type, status and currency, being added up.
#[derive(Clone, Debug, Default)]
pub struct SumTable(BTreeMap<(usize, usize, String), Sums>);

impl SumTable {
    /// Adds some.
    pub fn add(&mut self, more: Sums) {
        let kind = KINDS.iter().position(|kind| *kind == more.kind);
        let status = Status::EVERY.iter().position(|status| *status == more.status);
        let place =
            (kind.unwrap_or_default(), status.unwrap_or_default(), more.currency.to_string());
        let nothing = Sums {
            count: 0,
            figures: Figures::default(),
            total: Sum::default(),
            paid: Sum::default(),
            balance: Sum::default(),
            ..more
        };
        let sums = self.0.entry(place).or_insert(nothing);
        sums.count += more.count;
        sums.figures.add(more.figures);
        sums.total += more.total;
        sums.paid += more.paid;
        sums.balance += more.balance;
    }

    /// The sums, in the order of type, status and currency.
    #[must_use]
    pub fn into_sums(self) -> Vec<Sums> {
        self.0.into_values().collect()
    }
}

/// By which of their moments invoices are found that are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// When they were stamped.
    Stamped,
    /// When they were made.
    Created,
}

/// The invoices whose sums are wanted: those of at most [`DAYS_MAX`] days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumsQuery {
    filter: InvoiceFilter,
    span: Span,
    /// Whether those that were never stamped are left out.
    is_of_issued: bool,
}

impl SumsQuery {
    /// Asks for the sums of the invoices that a filter finds.
    ///
    /// # Errors
    /// It does not say which days they are of, or says too many.
    pub fn of(filter: InvoiceFilter) -> Result<Self, FieldFault> {
        let days = |from: Option<Timestamp>, to: Option<Timestamp>| {
            let micros = to?.micros().saturating_sub(from?.micros());
            Some(micros <= DAYS_MAX * 24 * 60 * 60 * 1_000_000)
        };
        let stamped = days(filter.stamped_from, filter.stamped_to);
        let created = days(filter.created_from, filter.created_to);
        let span = match (stamped, created) {
            (Some(true), _) => Span::Stamped,
            (_, Some(true)) => Span::Created,
            (None, Some(false)) => return Err(too_long("createdTo", "createdFrom")),
            (Some(false), _) => return Err(too_long("stampedTo", "stampedFrom")),
            (None, None) => return Err(unbounded()),
        };
        Ok(Self { filter, span, is_of_issued: false })
    }

    /// The same without those that are not stamped yet.
    #[must_use]
    pub fn of_issued(self) -> Self {
        Self { is_of_issued: true, ..self }
    }

    /// Which invoices.
    #[must_use]
    pub const fn filter(&self) -> &InvoiceFilter {
        &self.filter
    }

    /// Which of their moments is bounded.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Of which statuses sums are wanted.
    #[must_use]
    pub fn statuses(&self) -> Vec<Status> {
        let is_found = |status: &Status| self.filter.status.is_none_or(|only| only == *status);
        let is_issued = |status: &Status| matches!(status, Status::Stamped | Status::Cancelled);
        let wanted = Status::EVERY.iter().copied().filter(is_found);
        wanted.filter(|status| !self.is_of_issued || is_issued(status)).collect()
    }
}

fn too_long(to: &'static str, from: &'static str) -> FieldFault {
    let problem = message!(
        "must be at most {DAYS_MAX} days after {from}",
        "debe ser a lo más {DAYS_MAX} días posterior a {from}"
    );
    FieldFault::new(to, problem)
}

fn unbounded() -> FieldFault {
    let problem = message!(
        "must be given with stampedTo, or createdFrom with createdTo, at most {DAYS_MAX} days apart",
        "debe darse con stampedTo, o createdFrom con createdTo, a lo más con {DAYS_MAX} días de diferencia"
    );
    FieldFault::new("stampedFrom", problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60;

    #[test]
    fn the_days_must_be_bounded() {
        let at = |day: i64| Some(Timestamp::from_micros(0).plus_seconds(day * DAY));
        let cases = [
            ((at(0), at(366)), (None, None), Ok(Span::Stamped)),
            ((None, None), (at(9), at(9)), Ok(Span::Created)),
            ((at(0), None), (at(0), at(1)), Ok(Span::Created)),
            ((at(0), at(900)), (at(0), at(1)), Ok(Span::Created)),
            ((at(0), at(1)), (at(0), at(900)), Ok(Span::Stamped)),
            ((at(1), at(0)), (None, None), Ok(Span::Stamped)),
            ((at(0), at(367)), (None, None), Err("stampedTo")),
            ((None, None), (at(0), at(367)), Err("createdTo")),
            ((None, at(5)), (at(0), None), Err("stampedFrom")),
            ((None, None), (None, None), Err("stampedFrom")),
        ];
        for ((stamped_from, stamped_to), (created_from, created_to), wanted) in cases {
            let filter = InvoiceFilter {
                stamped_from,
                stamped_to,
                created_from,
                created_to,
                ..InvoiceFilter::default()
            };
            let found = SumsQuery::of(filter.clone()).map(|query| query.span());
            let found = found.map_err(|fault| fault.field);
            assert_eq!(found, wanted.map_err(str::to_owned), "{filter:?}");
        }
    }

    #[test]
    fn only_what_is_wanted_is_summed_up() {
        use Status::{Cancelled, Draft, Stamped};
        let at = Some(Timestamp::from_micros(0));
        let query = |status| {
            let (created_from, created_to) = (at, at);
            let filter =
                InvoiceFilter { status, created_from, created_to, ..InvoiceFilter::default() };
            SumsQuery::of(filter).unwrap()
        };
        for (status, every, issued) in [
            (None, Status::EVERY, &[Stamped, Cancelled][..]),
            (Some(Draft), &[Draft][..], &[][..]),
            (Some(Stamped), &[Stamped][..], &[Stamped][..]),
        ] {
            assert_eq!(query(status).statuses(), every, "{status:?}");
            assert_eq!(query(status).of_issued().statuses(), issued, "{status:?}");
        }
    }

    #[test]
    fn sums_stand_in_order_and_apart() {
        let sums = |kind, status, currency, total: i64| {
            let total = Sum::from(Amount::from_micros(total));
            let figures = Figures { subtotal: total, ..Figures::default() };
            Sums::of_amount((kind, status, currency), 1, figures, (total, total))
        };
        let usd = Currency::parse("USD").unwrap();
        let (income, receipt) = (DocumentType::Income, DocumentType::Payment);
        let mut table = SumTable::default();
        for more in [
            sums(receipt, Status::Stamped, Currency::MXN, 7),
            sums(income, Status::Cancelled, Currency::MXN, 5),
            sums(income, Status::Stamped, usd, 3),
            sums(income, Status::Stamped, Currency::MXN, 2),
            sums(income, Status::Stamped, Currency::MXN, 1),
        ] {
            table.add(more);
        }
        let seen: Vec<_> = table
            .into_sums()
            .into_iter()
            .map(|sums| {
                let micros = [sums.total, sums.paid, sums.balance, sums.figures.subtotal];
                (sums.kind, sums.status, sums.currency, sums.count, micros.map(Sum::micros))
            })
            .collect();
        assert_eq!(
            seen,
            [
                (income, Status::Stamped, Currency::MXN, 2, [3, 0, 3, 3]),
                (income, Status::Stamped, usd, 1, [3, 0, 3, 3]),
                (income, Status::Cancelled, Currency::MXN, 1, [5, 0, 5, 5]),
                (receipt, Status::Stamped, Currency::MXN, 1, [0, 7, 7, 7]),
            ]
        );
    }
}
