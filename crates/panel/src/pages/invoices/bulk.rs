//! What is done about several invoices: those that are ticked, or all that match.

use ::bulk::{Action, InvoiceSelection, Selection, Wanted};
use intake::{Form, noun};
use invoices::{InvoiceFilter, InvoiceId, InvoiceQuery, STAMP_COST};
use kernel::{FieldFault, PageRequest, Timestamp, page::Total};

use super::{PATH, WRITE, filter};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::grouped,
    list,
    page::Page,
    pages::bulk::asking::{Question, as_of, asked, begun, means_ticked, shown_at, ticked},
    reply::answered,
    texts::Say,
};

/// Something that is done about many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Stamp,
    Email,
}

const CONFIRMED: Form<Timestamp> =
    Form::body("BulkInvoices", noun("this form", "este formulario"), as_of, "");

impl Act {
    const EVERY: &'static [Self] = &[Self::Stamp, Self::Email];

    const fn page(self) -> &'static str {
        match self {
            Self::Stamp => "invoices/bulk/stamp",
            Self::Email => "invoices/bulk/email",
        }
    }

    const fn button(self, say: Say) -> &'static str {
        match self {
            Self::Stamp => say.stamp_many(),
            Self::Email => say.email_many(),
        }
    }

    const fn title(self, say: Say) -> &'static str {
        match self {
            Self::Stamp => say.stamp_invoices(),
            Self::Email => say.email_invoices(),
        }
    }

    fn intro(self, say: Say, count: &str) -> String {
        match self {
            Self::Stamp => say.bulk_stamp_intro(count),
            Self::Email => say.bulk_email_intro(count),
        }
    }

    const fn action(self) -> Action {
        match self {
            Self::Stamp => Action::StampInvoices,
            Self::Email => Action::EmailInvoices,
        }
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let asked = |act: &Act| {
        let act = *act;
        [
            Page::get(act.page(), WRITE, move |call| ask(call, act)),
            Page::post(act.page(), WRITE, move |call| begin(call, act)),
        ]
    };
    Act::EVERY.iter().flat_map(asked).collect()
}

/// Which page asks about what, and what its button says, for who may do it.
pub(super) fn offered(call: &Call<Member>) -> Vec<(String, &'static str)> {
    if !call.may(WRITE) {
        return Vec::new();
    }
    let act = |act: &Act| (call.href(act.page()), act.button(call.say()));
    Act::EVERY.iter().map(act).collect()
}

/// Which invoices a query means: those that are ticked, or all that it matches.
async fn selection(call: &Call<Member>) -> Result<InvoiceSelection, Failure> {
    let query = &call.query;
    if means_ticked(query) {
        let ids = Some(ticked(query, InvoiceId::parse)?);
        return Ok(InvoiceSelection::matching(
            InvoiceFilter { ids, ..InvoiceFilter::default() },
            None,
        ));
    }
    let zone = call.zone();
    let words = query.filled("q").map(str::to_owned);
    let filter = filter(query, zone);
    list::all_read(query)?;
    Ok(InvoiceSelection::matching(filter, words).as_listed())
}

async fn total(call: &Call<Member>, chosen: &InvoiceSelection) -> Result<Total, Failure> {
    let page = PageRequest { limit: 1, ..PageRequest::default() };
    let query = InvoiceQuery { filter: chosen.filter(), page, ..InvoiceQuery::default() };
    Ok(answered(call.services().invoices.list(call.account(), query)).await?.total)
}

async fn ask(call: Call<Member>, act: Act) -> Result<Answer, Failure> {
    page(&call, act, &[]).await
}

async fn page(call: &Call<Member>, act: Act, faults: &[FieldFault]) -> Result<Answer, Failure> {
    let say = call.say();
    let chosen = selection(call).await?.frozen_at(shown_at(call));
    let total = total(call, &chosen).await?;
    let mut notes = Vec::new();
    if act == Act::Stamp {
        let balance = answered(call.services().credits.balance(call.account())).await?;
        let needed = total.rows.saturating_mul(STAMP_COST.unsigned_abs());
        let available = u64::try_from(balance.available).unwrap_or_default();
        notes.push(say.bulk_credits(&grouped(needed), &grouped(available)));
    }
    let question = Question {
        page: act.page().to_owned(),
        title: act.title(say),
        intro: act.intro(say, &grouped(total.rows)),
        vain: None,
        rows: total.is_exact.then_some(total.rows),
        counts: Vec::new(),
        notes,
        fields: Vec::new(),
        is_dangerous: false,
        back: (say.invoices().to_owned(), call.href(PATH)),
    };
    Ok(asked(call, question, faults))
}

async fn begin(call: Call<Member>, act: Act) -> Result<Answer, Failure> {
    let as_of = match call.read(&CONFIRMED)? {
        Ok(as_of) => as_of,
        Err(faults) => return page(&call, act, &faults).await,
    };
    let chosen = selection(&call).await?.frozen_at(as_of.min(call.now()));
    let wanted = Wanted { action: act.action(), selection: Selection::Invoices(chosen) };
    match begun(&call, wanted).await? {
        Ok(answer) => Ok(answer),
        Err(faults) => page(&call, act, &faults).await,
    }
}
