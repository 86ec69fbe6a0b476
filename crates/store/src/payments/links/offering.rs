//! What whoever holds a link is offered, and what they begin with.

use ::orders::number_text;
use ::payments::{
    Capabilities, Method, Owed, PaymentId, PaymentLink, PaymentLinkId, ProviderKind, Status,
    Through,
    link::{self, Offer, OfferedInvoice, Recent},
    provider::choose,
};
use diesel::{dsl::count_star, prelude::*};
use kernel::{AccountId, Amount, Ctx, Currency, Mode, Refused, Timestamp};

use super::{
    super::{begin::Outcome, invoices, money::order_of, owed::owed, providers, rows},
    by_id, locked, number,
};
use crate::{
    accounts, db::Db, invoicing, ordering::rows::order_by_id, schema::payments, tx::Tx,
    vault::Vault,
};

/// What the providers of an account can do.
pub(super) struct Abilities {
    pub(super) mode: Mode,
    pub(super) accounts: Vec<::payments::ProviderAccount>,
}

impl Abilities {
    pub(super) fn of(db: &mut Db, account: AccountId) -> QueryResult<Self> {
        Ok(Self { mode: accounts::mode(db, account)?, accounts: providers::all(db, account)? })
    }

    pub(super) fn able(
        &self,
        provider: Option<ProviderKind>,
        method: Method,
        currency: Currency,
    ) -> Option<Capabilities> {
        self.kind(provider, method)?.capabilities(method, currency)
    }

    /// Through whom a method is paid, with the installments that the account offers there.
    pub(super) fn through(
        &self,
        provider: Option<ProviderKind>,
        method: Method,
    ) -> Option<Through> {
        self.kind(provider, method).map(|kind| Through::of(kind, &self.accounts))
    }

    /// Through whom a method is paid.
    fn kind(&self, provider: Option<ProviderKind>, method: Method) -> Option<ProviderKind> {
        choose(self.mode, provider, method, &self.accounts).ok()
    }
}

/// Whether anybody could pay so much by a link.
pub(crate) fn can_collect(
    db: &mut Db,
    account: AccountId,
    amount: Amount,
    currency: Currency,
) -> QueryResult<bool> {
    let abilities = Abilities::of(db, account)?;
    let takes = |can: Capabilities| (can.min..=can.max).contains(&amount);
    let mut methods = link::LINK_METHODS.iter();
    Ok(methods.any(|method| abilities.able(None, *method, currency).is_some_and(takes)))
}

/// What has become of a link within the last hour.
fn recent(
    db: &mut Db,
    account: AccountId,
    link: PaymentLinkId,
    now: Timestamp,
) -> QueryResult<Recent> {
    let since = PaymentId::least_at(now.plus_seconds(-Recent::SECONDS));
    let begun = payments::table
        .filter(payments::account_id.eq(account.to_string()))
        .filter(payments::link_id.eq(link.to_string()))
        .filter(payments::id.ge(since.to_string()));
    let declined = begun
        .clone()
        .filter(payments::method.eq(Method::Card.name()))
        .filter(payments::status.eq(Status::Failed.name()));
    let begun: i64 = begun.select(count_star()).first(db)?;
    let declined: i64 = declined.select(count_star()).first(db)?;
    Ok(Recent { begun: number(begun), declined: number(declined) })
}

pub(in crate::payments) fn offer(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: PaymentLinkId,
    now: Timestamp,
) -> QueryResult<Option<Offer>> {
    let Some(link) = by_id(db, vault, account, id)? else { return Ok(None) };
    let Subject { order_number, invoice, owed } = subject(db, account, &link)?;
    let amount = match (link.asks, &owed) {
        (link::Asks::Fixed(fixed), _) => Some(fixed),
        (_, Some(owed)) => Some(owed.asked()),
        _ => None,
    };
    let is_settled = owed.is_some_and(|owed| owed.due == Amount::ZERO);
    let recent = recent(db, account, id, now)?;
    let abilities = Abilities::of(db, account)?;
    let suits = |method: &Method| {
        let can = abilities.able(link.provider, *method, link.currency);
        let takes =
            |can: Capabilities| amount.is_none_or(|amount| (can.min..=can.max).contains(&amount));
        let fits = can.is_some_and(takes);
        fits && link::offers(&link, *method, recent, now)
    };
    let needs = |method: Method| {
        let kind = abilities.kind(link.provider, method);
        (method, kind.map(|kind| kind.payer_needs(method)).unwrap_or_default())
    };
    let methods: Vec<_> = link.methods.iter().copied().filter(suits).map(needs).collect();
    let most = match link.asks {
        link::Asks::Between { max, .. } => Some(max),
        link::Asks::Fixed(_) | link::Asks::Due => amount,
    };
    let cards = abilities.through(link.provider, Method::Card);
    let is_by_card = methods.iter().any(|(method, _)| *method == Method::Card);
    let installments = match (cards, most) {
        (Some(cards), Some(most)) if is_by_card => cards.offered(&link.installments, most),
        _ => Vec::new(),
    };
    Ok(Some(Offer { link, order_number, invoice, amount, is_settled, methods, installments }))
}

/// What a link is for.
#[derive(Default)]
struct Subject {
    order_number: Option<String>,
    invoice: Option<OfferedInvoice>,
    owed: Option<Owed>,
}

fn subject(db: &mut Db, account: AccountId, link: &PaymentLink) -> QueryResult<Subject> {
    let mut subject = Subject::default();
    if let Some(id) = link.order
        && let Some(order) = order_by_id(db, &account.to_string(), &id.to_string())?
    {
        let payments = rows::of_order(db, account, id)?;
        subject.owed = Some(owed(db, account, &order, &payments)?);
        subject.order_number = Some(number_text(order.number));
    }
    let Some(id) = link.invoice else { return Ok(subject) };
    let id = ::invoices::InvoiceId::from_u128(id.to_u128());
    if let Some(invoice) = invoicing::by_id(db, account, id)? {
        subject.owed = Some(invoices::owed(db, account, &invoice, subject.owed)?);
        subject.invoice = Some(OfferedInvoice {
            number: invoices::number_of(&invoice),
            receiver: invoice.document.receiver.legal_name,
        });
    }
    Ok(subject)
}

/// A link with its order or invoice, all locked, and what has lately become of it.
pub(in crate::payments) struct Held {
    pub(in crate::payments) link: PaymentLink,
    pub(in crate::payments) billed: Option<::invoices::Invoice>,
    pub(in crate::payments) order: Option<::orders::Order>,
    pub(in crate::payments) recent: Recent,
    pub(in crate::payments) can: Option<Capabilities>,
}

/// Locks a link after its invoice and its order, as all that has to do with these does.
pub(in crate::payments) fn hold(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    id: PaymentLinkId,
    method: Method,
) -> Outcome<Held> {
    let account = ctx.account;
    let seen = by_id(tx.db, vault, account, id)?.ok_or(Refused::NotFound)?;
    let billed = invoices::named(tx, account, seen.invoice)?;
    let order = order_of(tx, account, seen.order)?;
    let link = locked(tx, vault, account, id)?.ok_or(Refused::NotFound)?;
    let recent = recent(tx.db, account, id, ctx.now)?;
    let can = Abilities::of(tx.db, account)?.able(link.provider, method, link.currency);
    Ok(Held { link, billed, order, recent, can })
}
