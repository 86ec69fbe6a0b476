//! Global invoices: how they are made, and what a run has made.

use cfdi::document::day;
use invoices::{
    BranchId, InvoiceId, IssuerId, OrderId,
    global::{
        Fate, GlobalInvoice, GlobalRun, GlobalSettings, GlobalTerms, Period, Periodicity, SalePlace,
    },
    provider::Rejection,
};
use kernel::{Amount, Timestamp};
use serde::{Deserialize, Serialize, de::Error as _};

use super::Stored;

#[derive(Serialize, Deserialize)]
struct TermsForm {
    issuer: Option<IssuerId>,
    branch: Option<BranchId>,
    payment_form: Option<String>,
    tickets_per_invoice: usize,
    stamp: bool,
}

impl From<&GlobalTerms> for TermsForm {
    fn from(terms: &GlobalTerms) -> Self {
        let GlobalTerms { issuer, branch, payment_form, tickets_per_invoice, is_to_stamp } =
            terms.clone();
        Self { issuer, branch, payment_form, tickets_per_invoice, stamp: is_to_stamp }
    }
}

impl From<TermsForm> for GlobalTerms {
    fn from(form: TermsForm) -> Self {
        let TermsForm { issuer, branch, payment_form, tickets_per_invoice, stamp } = form;
        Self { issuer, branch, payment_form, tickets_per_invoice, is_to_stamp: stamp }
    }
}

#[derive(Serialize, Deserialize)]
struct SettingsForm {
    automatic: bool,
    periodicity: String,
    terms: TermsForm,
    delay_hours: i64,
    covered_until: Option<Timestamp>,
    updated_at: Option<Timestamp>,
    version: i64,
}

impl Stored for GlobalSettings {
    const KIND: &'static str = "global_settings";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&SettingsForm {
            automatic: self.is_automatic,
            periodicity: self.periodicity.code().to_owned(),
            terms: (&self.terms).into(),
            delay_hours: self.delay_hours,
            covered_until: self.covered_until,
            updated_at: self.updated_at,
            version: self.version,
        })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let form: SettingsForm = serde_json::from_str(text)?;
        Ok(Self {
            is_automatic: form.automatic,
            periodicity: periodicity(&form.periodicity)?,
            terms: form.terms.into(),
            delay_hours: form.delay_hours,
            covered_until: form.covered_until,
            updated_at: form.updated_at,
            version: form.version,
        })
    }
}

/// The payload of a run's task, and its outcome.
#[derive(Serialize, Deserialize)]
struct RunForm {
    periodicity: String,
    first: String,
    last: String,
    from: Timestamp,
    to: Timestamp,
    automatic: bool,
    terms: TermsForm,
    reached: Option<PlaceForm>,
    invoices: Vec<MadeForm>,
}

#[derive(Serialize, Deserialize)]
struct PlaceForm {
    /// To the microsecond, which a moment's text is not.
    paid_at: i64,
    order: OrderId,
}

#[derive(Serialize, Deserialize)]
struct MadeForm {
    id: InvoiceId,
    tickets: usize,
    total: Amount,
    fate: String,
    error: Option<Rejection>,
}

impl Stored for GlobalRun {
    const KIND: &'static str = "global_run";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        let made = |made: &GlobalInvoice| MadeForm {
            id: made.id,
            tickets: made.tickets,
            total: made.total,
            fate: made.fate.name().to_owned(),
            error: made.error.clone(),
        };
        let place = |place: SalePlace| {
            let SalePlace { paid_at, order } = place;
            PlaceForm { paid_at: paid_at.micros(), order }
        };
        serde_json::to_string(&RunForm {
            periodicity: self.period.periodicity.code().to_owned(),
            first: day::to_text(self.period.first),
            last: day::to_text(self.period.last),
            from: self.from,
            to: self.to,
            automatic: self.is_automatic,
            terms: (&self.terms).into(),
            reached: self.reached.map(place),
            invoices: self.invoices.iter().map(made).collect(),
        })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let form: RunForm = serde_json::from_str(text)?;
        let day = |text: &str| day::from_text(text).ok_or_else(|| unknown("day"));
        let made = |form: MadeForm| {
            let MadeForm { id, tickets, total, fate, error } = form;
            let every = Fate::EVERY.iter().copied();
            let fate = every.into_iter().find(|known| known.name() == fate);
            let fate = fate.ok_or_else(|| unknown("fate"))?;
            Ok(GlobalInvoice { id, tickets, total, fate, error })
        };
        let place = |PlaceForm { paid_at, order }| {
            let paid_at = Timestamp::from_micros(paid_at);
            SalePlace { paid_at, order }
        };
        Ok(Self {
            period: Period {
                periodicity: periodicity(&form.periodicity)?,
                first: day(&form.first)?,
                last: day(&form.last)?,
            },
            from: form.from,
            to: form.to,
            is_automatic: form.automatic,
            terms: form.terms.into(),
            reached: form.reached.map(place),
            invoices: form.invoices.into_iter().map(made).collect::<serde_json::Result<_>>()?,
        })
    }
}

fn periodicity(code: &str) -> serde_json::Result<Periodicity> {
    let mut every = Periodicity::EVERY.iter().copied();
    every.find(|known| known.code() == code).ok_or_else(|| unknown("periodicity"))
}

fn unknown(what: &str) -> serde_json::Error {
    serde_json::Error::custom(format!("the {what} is unknown"))
}
