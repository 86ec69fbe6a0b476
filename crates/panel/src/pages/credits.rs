//! Credits: what there is for stamping, and every change of it.

use accounts::{Right, Scope};
use askama::Template;
use invoices::{CreditEntry, CreditKind, LedgerQuery};

use super::linked::Ways;
use crate::{
    answer::Answer,
    around::CREDITS as PATH,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{moment, signed},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Filters, Moment, Pager, Stat},
    reply::answered,
    texts::Say,
};

const READ: Right = Right::read(Scope::Invoices);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Settings, "coins", Say::credits).key("6").list(),
        Page::get("settings/credits.csv", READ, table),
    ]
}

#[derive(Template)]
#[template(path = "credits/ledger.html", whitespace = "minimize")]
struct Ledger {
    say: Say,
    filters: Filters,
    stats: Vec<Stat>,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    kind: &'static str,
    amount: String,
    /// What was stamped, and where it is shown.
    subject: Option<(String, Option<String>)>,
    note: Option<String>,
    at: Moment,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let balance = answered(services.credits.balance(account)).await?;
    let query = asked(&call.query);
    let listed = answered(services.credits.ledger(account, query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let ways = Ways::of(&call);
    let line = |entry: CreditEntry| {
        let invoice = entry.invoice.map(|id| id.to_string());
        let subject = invoice.or_else(|| entry.withholding.map(|id| id.to_string()));
        Line {
            kind: kind_name(say, entry.kind),
            amount: if entry.amount > 0 {
                format!("+{}", signed(entry.amount))
            } else {
                signed(entry.amount)
            },
            subject: subject.map(|id| (id.clone(), ways.page_of(&id))),
            note: entry.note,
            at: moment(entry.created_at, zone, call.language),
        }
    };
    let total = list::counted(say, listed.total);
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| Empty::new(say.no_credits()));
    let stat = |label: &str, figure: i64| Stat {
        label: label.to_owned(),
        figure: signed(figure),
        href: None,
    };
    let kinds: Vec<_> =
        CreditKind::EVERY.iter().map(|kind| (kind.name(), kind_name(say, *kind))).collect();
    let filters = Filters::without_words(say, call.href(PATH), &call.query, total).choice(
        &call.query,
        ("kind", say.credits_kind()),
        &kinds,
    );
    let body = Ledger {
        say,
        filters,
        stats: vec![
            stat(say.credits_available(), balance.available),
            stat(say.credits_reserved(), balance.reserved),
        ],
        lines,
        empty,
        pager,
    };
    Ok(call.page(Sheet::new(say.credits(), &body)))
}

/// Which entries a query asks for. What cannot be read of it is left out.
fn asked(query: &Values) -> LedgerQuery {
    LedgerQuery {
        kind: list::named(query, "kind", CreditKind::EVERY, CreditKind::name),
        page: list::asked(query),
        ..LedgerQuery::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let query = asked(&call.query);
    let table = Table::new(move |services, account, page| {
        services.credits.ledger(account, LedgerQuery { page, ..query.clone() })
    })
    .column(say.identifier(), |entry: &CreditEntry| entry.id.to_string())
    .moment(say.date(), zone, |entry| entry.created_at)
    .column(say.credits_kind(), move |entry| kind_name(say, entry.kind).to_owned())
    .number(say.credits(), |entry| entry.amount)
    .optional(csv::id_of(say.invoice()), |entry| entry.invoice)
    .optional(csv::id_of(say.withholding()), |entry| entry.withholding)
    .optional(say.note(), |entry| entry.note.clone());
    csv::sent(&call, "credits.csv", table)
}

const fn kind_name(say: Say, kind: CreditKind) -> &'static str {
    match kind {
        CreditKind::Grant => say.credits_granted(),
        CreditKind::Reserve => say.credits_set_aside(),
        CreditKind::Commit => say.credits_spent(),
        CreditKind::Release => say.credits_given_back(),
    }
}
