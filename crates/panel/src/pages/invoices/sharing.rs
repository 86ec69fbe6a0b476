//! The link by which who has no key sees an invoice, and downloads its PDF and XML.

use invoices::{Invoice, InvoiceId, Status};
use links::{LinkKind, Target};

use super::{PATH, WRITE, detail::place};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Page,
    pages::given_links::{self, GivenLink, Shown},
    parts::ButtonForm,
};

/// How many days a link works, as one that is made by the API without saying.
const LINK_DAYS: u32 = 365;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::post("invoices/{id}/link", WRITE, open),
        Page::post("invoices/{id}/link/close", WRITE, close),
    ]
}

/// The link, or what makes one.
#[derive(Default)]
pub(super) struct Sharing {
    pub(super) link: Option<GivenLink>,
    pub(super) make: Option<ButtonForm>,
}

/// What of it the member sees of an invoice that has been stamped.
pub(super) async fn of(call: &Call<Member>, invoice: &Invoice) -> Result<Sharing, Failure> {
    let is_there = matches!(invoice.status, Status::Stamped | Status::Cancelled);
    if !is_there || !call.may(WRITE) {
        return Ok(Sharing::default());
    }
    let (say, at) = (call.say(), |path: &str| place(call, invoice.id, path));
    let shown = Shown {
        page: "/invoice",
        id: "invoice-link",
        label: say.invoice_link(),
        close: (at("link/close"), say.close_invoice_link()),
    };
    Ok(match given_links::link(call, target(invoice.id)).await? {
        Some(link) => {
            Sharing { link: Some(GivenLink::new(call, &link, shown, call.zone())), make: None }
        }
        None => {
            Sharing { link: None, make: Some(call.button(at("link"), say.make_invoice_link())) }
        }
    })
}

fn target(id: InvoiceId) -> Target {
    Target { kind: LinkKind::Invoice, subject: id.to_string() }
}

fn id(call: &Call<Member>) -> Result<InvoiceId, Failure> {
    InvoiceId::parse(call.parameter("id")).ok_or(Failure::Nothing)
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let to = (format!("{PATH}/{id}"), "invoice-link.opened");
    given_links::open(&call, target(id), LINK_DAYS, (&to.0, to.1)).await
}

async fn close(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let to = (format!("{PATH}/{id}"), "invoice-link.closed");
    given_links::close(&call, target(id), (&to.0, to.1)).await
}
