//! What whoever holds a link is offered, and what they begin with.

use ::orders::number_text;
use ::payments::{
    Capabilities, Method, PaymentId, PaymentLink, PaymentLinkId, ProviderKind, Status, Through,
    link::{self, Offer, Recent},
    open,
    provider::choose,
};
use diesel::{dsl::count_star, prelude::*};
use kernel::{AccountId, Amount, Ctx, Currency, Mode, Refused, Timestamp};

use super::{
    super::{begin::Outcome, money::order_of, providers, rows},
    by_id, locked, number,
};
use crate::{
    accounts, db::Db, ordering::rows::order_by_id, schema::payments, tx::Tx, vault::Vault,
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

/// What has become of a link within the last hour.
fn recent(
    db: &mut Db,
    account: AccountId,
    link: PaymentLinkId,
    now: Timestamp,
) -> QueryResult<Recent> {
    let since = PaymentId::from_u128(kernel::id::least_at(now.plus_seconds(-Recent::SECONDS)));
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
    let (mut amount, mut order_number) = (None, None);
    match (link.asks, link.order) {
        (link::Asks::Fixed(fixed), _) => amount = Some(fixed),
        (link::Asks::Due, Some(order)) => {
            let others = rows::of_order(db, account, order)?;
            if let Some(order) = order_by_id(db, &account.to_string(), &order.to_string())? {
                let left = order.amount_due().micros() - open::in_progress(&others).micros();
                amount = Some(Amount::from_micros(left.max(0)));
                order_number = Some(number_text(order.number));
            }
        }
        _ => {}
    }
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
    Ok(Some(Offer { link, order_number, amount, methods, installments }))
}

/// A link with its order, both locked, and what has lately become of it.
pub(in crate::payments) struct Held {
    pub(in crate::payments) link: PaymentLink,
    pub(in crate::payments) order: Option<::orders::Order>,
    pub(in crate::payments) recent: Recent,
    pub(in crate::payments) can: Option<Capabilities>,
}

/// Locks a link after its order, as all that has to do with the order does.
pub(in crate::payments) fn hold(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    id: PaymentLinkId,
    method: Method,
) -> Outcome<Held> {
    let account = ctx.account;
    let seen = by_id(tx.db, vault, account, id)?.ok_or(Refused::NotFound)?;
    let order = order_of(tx, account, seen.order)?;
    let link = locked(tx, vault, account, id)?.ok_or(Refused::NotFound)?;
    let recent = recent(tx.db, account, id, ctx.now)?;
    let can = Abilities::of(tx.db, account)?.able(link.provider, method, link.currency);
    Ok(Held { link, order, recent, can })
}
