//! A run: the global invoices of one period being made.

use cfdi::{catalogs::zones::Zone, document::DocumentType};
use kernel::{Amount, FieldFault, Refused, Timestamp, message};
use time::Date;

use super::{GlobalSettings, Period, Periodicity, SETTLING_SECONDS, SalePlace};
use crate::{
    BranchId, Fields, Invoice, InvoiceError, InvoiceId, Issuer, IssuerId, NewInvoice, OrderId,
    Status, provider::Rejection,
};

/// The only regime that invoices two months together.
const TWO_MONTHS_REGIME: &str = "621";

/// How global invoices are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalTerms {
    /// Who issues them; whoever issues what names no issuer, where none is named.
    pub issuer: Option<IssuerId>,
    /// The branch that they are issued at.
    pub branch: Option<BranchId>,
    /// How the sales were paid for the most part, a code of c_FormaPago; none until somebody has told.
    pub payment_form: Option<String>,
    /// The most sales of one invoice; further ones go into another.
    pub tickets_per_invoice: usize,
    /// Whether they are stamped, too.
    pub is_to_stamp: bool,
}

/// A run that somebody asks for: what is not told is as in the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedRun {
    /// How long the period is.
    pub periodicity: Option<Periodicity>,
    /// A day of the period; one of the last that is closed where none is told.
    pub date: Option<Date>,
    /// Who issues; told together with the branch.
    pub issuer: Option<IssuerId>,
    /// The branch that issues.
    pub branch: Option<BranchId>,
    /// How the sales were paid for the most part.
    pub payment_form: Option<String>,
    /// The most sales of one invoice.
    pub tickets_per_invoice: Option<usize>,
    /// Whether the invoices are stamped, too.
    pub is_to_stamp: Option<bool>,
}

/// The global invoices of a period: what is to be made, and what was made so far.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalRun {
    /// The period.
    pub period: Period,
    /// The moment from which sales are invoiced: the start of the period, or where the run before has ended.
    pub from: Timestamp,
    /// The moment before which they were paid: the end of the period.
    pub to: Timestamp,
    /// Whether the settings have it made, and the next one after it.
    pub is_automatic: bool,
    /// How its invoices are made.
    pub terms: GlobalTerms,
    /// The last sale that was looked at.
    pub reached: Option<SalePlace>,
    /// The invoices made so far.
    pub invoices: Vec<GlobalInvoice>,
}

/// A global invoice that a run has made.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalInvoice {
    /// The invoice.
    pub id: InvoiceId,
    /// The sales in it.
    pub tickets: usize,
    /// What it amounts to.
    pub total: Amount,
    /// What has become of it.
    pub fate: Fate,
    /// Why it was not stamped, though it was to be.
    pub error: Option<Rejection>,
}

/// What has become of an invoice that a run has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is a draft.
    Draft,
    /// Its stamping is under way, and goes on by itself.
    Stamping,
    /// It is stamped.
    Stamped,
    /// Somebody has cancelled it meanwhile.
    Cancelled,
    /// Somebody has deleted it meanwhile; its sales are free.
    Deleted,
}

impl Fate {
    /// Every fate.
    pub const EVERY: &'static [Self] =
        &[Self::Draft, Self::Stamping, Self::Stamped, Self::Cancelled, Self::Deleted];

    /// Its name: the status of the invoice, if there still is one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => Status::Draft.name(),
            Self::Stamping => Status::Stamping.name(),
            Self::Stamped => Status::Stamped.name(),
            Self::Cancelled => Status::Cancelled.name(),
            Self::Deleted => "deleted",
        }
    }
}

impl WantedRun {
    /// Who issues: told together, since a branch may be of one issuer.
    #[must_use]
    pub fn seller(&self, usual: &GlobalTerms) -> (Option<IssuerId>, Option<BranchId>) {
        match (self.issuer, self.branch) {
            (None, None) => (usual.issuer, usual.branch),
            told => told,
        }
    }
}

impl GlobalRun {
    /// The run that somebody asks for at `now`, of an issuer whose documents are dated in `zone`.
    ///
    /// # Errors
    /// [`Refused::Invalid`] for a period that is not closed yet or that the issuer may not have.
    pub fn by_hand(
        wanted: WantedRun,
        settings: &GlobalSettings,
        (issuer, zone): (&Issuer, Zone),
        now: Timestamp,
    ) -> Result<Self, Refused<InvoiceError>> {
        let usual = settings.terms.clone();
        let (issued_by, branch) = wanted.seller(&usual);
        let period = period(wanted.periodicity, wanted.date, settings, (issuer, zone), now)?;
        let WantedRun { payment_form, tickets_per_invoice, is_to_stamp, .. } = wanted;
        let terms = GlobalTerms {
            issuer: issued_by,
            branch,
            payment_form: payment_form.or(usual.payment_form),
            tickets_per_invoice: tickets_per_invoice.unwrap_or(usual.tickets_per_invoice),
            is_to_stamp: is_to_stamp.unwrap_or(usual.is_to_stamp),
        };
        let (from, to) = period.moments(zone);
        let (reached, invoices) = (None, Vec::new());
        Ok(Self { period, from, to, is_automatic: false, terms, reached, invoices })
    }

    /// Refuses to make invoices that do not say how their sales were paid.
    ///
    /// # Errors
    /// [`Refused::Invalid`] where neither the request nor the settings say it.
    pub fn require_payment_form(&self) -> Result<(), Refused<InvoiceError>> {
        if self.terms.payment_form.is_some() {
            return Ok(());
        }
        let problem = message!(
            "must be given: PUT /invoices/cfdi/global has set none",
            "es obligatorio: PUT /invoices/cfdi/global no ha establecido ninguna"
        );
        Err(Refused::Invalid(vec![FieldFault::new("paymentForm", problem)]))
    }

    /// When it is due that is to begin so many hours after the end of its period.
    #[must_use]
    pub fn due_at(&self, delay_hours: i64) -> Timestamp {
        self.to.plus_seconds((delay_hours * 3_600).max(SETTLING_SECONDS))
    }

    /// The draft of an invoice of these sales.
    #[must_use]
    pub fn invoice_of(&self, orders: Vec<OrderId>) -> NewInvoice {
        let GlobalTerms { issuer, branch, payment_form, .. } = self.terms.clone();
        let fields = Fields {
            issuer,
            branch: branch.map(Some),
            orders: Some(orders),
            payment_form: Some(payment_form),
            global: Some(Some(self.period.stated())),
            ..Fields::default()
        };
        NewInvoice { kind: DocumentType::Income, fields, is_to_stamp: false }
    }

    /// The run after it has made an invoice of so many sales.
    #[must_use]
    pub fn made(mut self, invoice: &Invoice, tickets: usize) -> Self {
        let (id, total) = (invoice.id, invoice.amount());
        self.invoices.push(GlobalInvoice { id, tickets, total, fate: Fate::Draft, error: None });
        self
    }

    /// The run once it is known what has become of one of its invoices.
    #[must_use]
    pub fn settled(mut self, id: InvoiceId, fate: Fate, error: Option<&Rejection>) -> Self {
        for invoice in self.invoices.iter_mut().filter(|invoice| invoice.id == id) {
            invoice.fate = fate;
            invoice.error = error.cloned();
        }
        self
    }

    /// The invoices that are still to be stamped.
    pub fn to_stamp(&self) -> impl Iterator<Item = InvoiceId> {
        let is_open = |invoice: &&GlobalInvoice| {
            self.terms.is_to_stamp && invoice.fate == Fate::Draft && invoice.error.is_none()
        };
        self.invoices.iter().filter(is_open).map(|invoice| invoice.id)
    }
}

/// A period that is closed.
fn period(
    periodicity: Option<Periodicity>,
    date: Option<Date>,
    settings: &GlobalSettings,
    (issuer, zone): (&Issuer, Zone),
    now: Timestamp,
) -> Result<Period, Refused<InvoiceError>> {
    let periodicity = periodicity.unwrap_or(settings.periodicity);
    refuse_two_months(periodicity, issuer)?;
    let Some(date) = date else { return Ok(Period::last_closed(periodicity, zone, now)) };
    let period = Period::of(periodicity, date);
    if period.is_closed(zone, now) {
        return Ok(period);
    }
    let days = period.days();
    let problem = message!(
        "is in the period {days}, which has not ended: name a day of one that has",
        "está en el periodo {days}, que aún no termina: indicar un día de uno que ya terminó"
    );
    Err(Refused::Invalid(vec![FieldFault::new("date", problem)]))
}

/// Refuses periods of two months to issuers of other regimes (SAT's rule CFDI40132).
pub(super) fn refuse_two_months(
    periodicity: Periodicity,
    issuer: &Issuer,
) -> Result<(), Refused<InvoiceError>> {
    if periodicity != Periodicity::TwoMonths || issuer.tax_regime == TWO_MONTHS_REGIME {
        return Ok(());
    }
    let regime = &issuer.tax_regime;
    let problem = message!(
        "may be 05 only for an issuer in tax regime {TWO_MONTHS_REGIME}, and the issuer's is {regime}: choose 01 to 04",
        "solo puede ser 05 para un emisor del régimen {TWO_MONTHS_REGIME}, y el del emisor es {regime}: elegir de 01 a 04"
    );
    Err(Refused::Invalid(vec![FieldFault::new("periodicity", problem)]))
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    /// A run of two invoices.
    fn run(is_to_stamp: bool) -> GlobalRun {
        let made = |number| GlobalInvoice {
            id: InvoiceId::from_u128(number),
            tickets: 1,
            total: Amount::from_micros(1_000_000),
            fate: Fate::Draft,
            error: None,
        };
        let period = Period::of(Periodicity::Day, date!(2026 - 12 - 14));
        let (from, to) = period.moments(Zone::Central);
        let terms = GlobalTerms { is_to_stamp, ..GlobalSettings::default().terms };
        let invoices = vec![made(1), made(2)];
        GlobalRun { period, from, to, is_automatic: true, terms, reached: None, invoices }
    }

    #[test]
    fn what_was_stamped_or_refused_is_not_stamped_again() {
        let [first, second] = [1, 2].map(InvoiceId::from_u128);
        assert_eq!(run(true).to_stamp().collect::<Vec<_>>(), [first, second]);
        assert_eq!(run(false).to_stamp().count(), 0);
        let stamped = run(true).settled(first, Fate::Stamped, None);
        assert_eq!(stamped.to_stamp().collect::<Vec<_>>(), [second]);
        let error =
            Rejection { code: "insufficient_credits".to_owned(), message: "none".to_owned() };
        let refused = stamped.settled(second, Fate::Draft, Some(&error));
        assert_eq!(refused.to_stamp().count(), 0);
        assert_eq!(refused.invoices[1].error, Some(error));
    }

    #[test]
    fn a_run_is_due_so_many_hours_after_its_period_but_never_at_once() {
        for (hours, due_at) in [(0, "2026-12-15T06:01:00Z"), (24, "2026-12-16T06:00:00Z")] {
            assert_eq!(run(true).due_at(hours), at(due_at));
        }
    }

    #[test]
    fn issuer_and_branch_are_told_together() {
        let (issuer, branch) = (IssuerId::from_u128(1), BranchId::from_u128(2));
        let usual = GlobalTerms { issuer: Some(issuer), branch: Some(branch), ..run(true).terms };
        let other = Some(IssuerId::from_u128(9));
        let wanted = |issuer| WantedRun { issuer, ..WantedRun::default() };
        assert_eq!(wanted(None).seller(&usual), (Some(issuer), Some(branch)));
        assert_eq!(wanted(other).seller(&usual), (other, None));
    }
}
