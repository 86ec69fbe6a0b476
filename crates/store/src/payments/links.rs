//! Payment links as rows.

mod offering;
mod slots;

use ::links::{DAYS_MAX, Link, LinkKind, Target, Token};
use ::orders::number_text;
use ::payments::{
    Method, NewLink, OrderId, Payment, PaymentError, PaymentId, PaymentLink, PaymentLinkId,
    link::{self, LinkChanges, LinkFilter, LinkQuery, LinkRefusal, LinkStatus, Linked, Stage},
    provider::choose,
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Page, Refused, Timestamp};

use super::{begin::Outcome, invoices, money::order_of, owed::owed, rows};
use crate::{
    db::{Db, first_locked, on},
    error::{Failure, refuse_stale},
    links as tokens,
    listing::{self, newest_first},
    rows::{corrupt, currency, read, read_name},
    schema::{payment_links as table, payment_links::dsl},
    statement::update,
    stored::{PaymentLinkDetails, from_text, to_text},
    tx::Tx,
    vault::Vault,
};

pub(crate) use offering::can_collect;
pub(super) use offering::{Held, hold, offer};
pub(super) use slots::{is_paid_up, moved, settle, settle_invoice};

use offering::Abilities;

/// For how many days the page of an attempt can be seen.
const ATTEMPT_DAYS: u32 = 365;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct LinkRow {
    account_id: String,
    id: String,
    order_id: Option<String>,
    stage: String,
    currency: String,
    payments_max: Option<i64>,
    taken: i64,
    paid_count: i64,
    details: String,
    expires_at: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
    invoice_id: Option<String>,
}

fn number(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl LinkRow {
    fn of(account: AccountId, link: &PaymentLink) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            id: link.id.to_string(),
            order_id: link.order.map(|id| id.to_string()),
            stage: link.stage.name().to_owned(),
            currency: link.currency.to_string(),
            payments_max: link.payments_max.map(i64::from),
            taken: i64::from(link.taken),
            paid_count: i64::from(link.paid_count),
            details: to_text(&PaymentLinkDetails::of(link))?,
            expires_at: link.expires_at.micros(),
            created_at: link.created_at.micros(),
            updated_at: link.updated_at.micros(),
            version: link.version,
            invoice_id: link.invoice.map(|id| id.to_string()),
        })
    }

    fn link(self, token: Option<Token>) -> QueryResult<PaymentLink> {
        let token = token.ok_or_else(|| corrupt(format!("{} has no token", self.id)))?;
        let details: PaymentLinkDetails = from_text(&self.details)?;
        let asks = details.asks();
        Ok(PaymentLink {
            id: read(&self.id, PaymentLinkId::parse)?,
            token,
            title: details.title,
            description: details.description,
            asks,
            currency: currency(&self.currency)?,
            order: self.order_id.as_deref().map(|id| read(id, OrderId::parse)).transpose()?,
            invoice: rows::invoice(self.invoice_id.as_deref())?,
            customer: details.customer,
            provider: details.provider,
            methods: details.methods,
            installments: details.installments,
            payments_max: self.payments_max.map(number),
            taken: number(self.taken),
            paid_count: number(self.paid_count),
            expires_at: Timestamp::from_micros(self.expires_at),
            success_url: details.success_url,
            stage: read_name(&self.stage, Stage::EVERY, Stage::name)?,
            metadata: details.metadata,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

fn target(kind: LinkKind, subject: &str) -> Target {
    Target { kind, subject: subject.to_owned() }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: String, id: String) -> _ {
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

pub(super) fn by_id(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: PaymentLinkId,
) -> QueryResult<Option<PaymentLink>> {
    let row: Option<LinkRow> = this(account.to_string(), id.to_string())
        .select(LinkRow::as_select())
        .first(db)
        .optional()?;
    row.map(|row| with_token(row, db, vault, account)).transpose()
}

fn with_token(
    row: LinkRow,
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
) -> QueryResult<PaymentLink> {
    let token = tokens::find(db, vault, account, &target(LinkKind::Payment, &row.id))?;
    row.link(token.map(|link| link.token))
}

fn locked(
    tx: &mut Tx<'_>,
    vault: &Vault,
    account: AccountId,
    id: PaymentLinkId,
) -> QueryResult<Option<PaymentLink>> {
    let row = first_locked!(tx.db, LinkRow, this(account.to_string(), id.to_string()))?;
    row.map(|row| with_token(row, tx.db, vault, account)).transpose()
}

fn save(tx: &mut Tx<'_>, account: AccountId, link: &PaymentLink) -> QueryResult<()> {
    let row = LinkRow::of(account, link)?;
    let update = update!(
        "payment_links", row as LinkRow,
        set order_id, stage, currency, payments_max, taken, paid_count, details, expires_at, created_at, updated_at,
            version, invoice_id;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}
fn refused(refusal: LinkRefusal) -> Failure<PaymentError> {
    Failure::from(match refusal {
        LinkRefusal::Invalid(faults) => Refused::Invalid(faults),
        LinkRefusal::OrderCancelled => Refused::Rule(PaymentError::OrderCancelled),
        LinkRefusal::NothingDue => Refused::Rule(PaymentError::NothingDue),
        LinkRefusal::Closed(status) => {
            Refused::Rule(PaymentError::Shut(link::Shut::Closed(status)))
        }
    })
}

pub(crate) fn create(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    new: NewLink,
) -> Outcome<PaymentLink> {
    let account = ctx.account;
    let linked = linked(tx, account, &new)?;
    let abilities = Abilities::of(tx.db, account)?;
    let provider = new.provider;
    if let Some(kind) = provider {
        choose(abilities.mode, Some(kind), Method::Card, &abilities.accounts)
            .map_err(|why| Refused::Rule(PaymentError::NoProvider(why)))?;
    }
    let ids = (PaymentLinkId::from_u128(tx.ids.next()), tokens::token(vault)?);
    let able = |method, currency| abilities.able(provider, method, currency);
    let cards = abilities.through(provider, Method::Card);
    let made = link::make(new, ids, linked.as_ref(), able, cards.as_ref(), ctx.now);
    let made = made.map_err(refused)?;
    diesel::insert_into(table::table).values(&LinkRow::of(account, &made)?).execute(tx.db)?;
    // It says what has become of it for as long as the link is on record.
    let target = target(LinkKind::Payment, &made.id.to_string());
    let token = Link::lasting(target, made.token.clone(), DAYS_MAX, ctx.now);
    tokens::add(tx, vault, account, &token)?;
    Ok(made)
}

/// What a link is to be for, locked, with what is owed of it.
fn linked(tx: &mut Tx<'_>, account: AccountId, new: &NewLink) -> Outcome<Option<Linked>> {
    let billed = invoices::named(tx, account, new.invoice)?;
    let id = billed.as_ref().and_then(invoices::order_billed).or(new.order);
    let order = order_of(tx, account, id)?;
    if let Some(id) = id.filter(|_| order.is_none()) {
        return Err(Refused::Invalid(vec![super::begin::no_order(id)]).into());
    }
    let of_order = match (&order, id) {
        (Some(order), Some(id)) => {
            let payments = rows::of_order(tx.db, account, id)?;
            Some(owed(tx.db, account, order, &payments)?)
        }
        _ => None,
    };
    Ok(match billed {
        Some(invoice) => Some(Linked {
            number: invoices::number_of(&invoice),
            order: id,
            owed: invoices::owed(tx.db, account, &invoice, of_order)?,
        }),
        None => order.zip(of_order).map(|(order, owed)| Linked {
            number: number_text(order.number),
            order: id,
            owed,
        }),
    })
}

pub(super) fn update(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    (id, version): (PaymentLinkId, Option<i64>),
    changes: LinkChanges,
) -> Outcome<PaymentLink> {
    let before = locked(tx, vault, ctx.account, id)?.ok_or(Refused::NotFound)?;
    refuse_stale(version, before.version)?;
    let after = link::change(&before, changes, ctx.now).map_err(refused)?;
    if after != before {
        save(tx, ctx.account, &after)?;
    }
    Ok(after)
}

pub(super) fn deactivate(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    id: PaymentLinkId,
) -> Outcome<PaymentLink> {
    let before = locked(tx, vault, ctx.account, id)?.ok_or(Refused::NotFound)?;
    let after = link::deactivate(&before, ctx.now);
    if after != before {
        save(tx, ctx.account, &after)?;
    }
    Ok(after)
}

pub(super) fn list(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    query: &LinkQuery,
) -> QueryResult<Page<PaymentLink>> {
    let all = || matching(account, &query.filter);
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, LinkRow, dsl::id, query.page, all())?;
    let key = |row: &LinkRow| (account.to_string(), row.id.clone());
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let tokens = tokens::tokens(db, vault, account, LinkKind::Payment, &ids)?;
    let read = |row: LinkRow| {
        let token = tokens.get(&row.id).cloned();
        row.link(token)
    };
    listing::newest_page(rows, &query.page, total, "payment link", key, read)
}

fn matching(
    account: AccountId,
    filter: &LinkFilter,
) -> table::BoxedQuery<'static, <Db as Connection>::Backend> {
    let mut query = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some((status, now)) = filter.status {
        let stage = match status {
            LinkStatus::Active | LinkStatus::Expired => Stage::Active,
            LinkStatus::Inactive => Stage::Inactive,
            LinkStatus::Completed => Stage::Completed,
        };
        query = query.filter(dsl::stage.eq(stage.name()));
        query = match status {
            LinkStatus::Active => query.filter(dsl::expires_at.gt(now.micros())),
            LinkStatus::Expired => query.filter(dsl::expires_at.le(now.micros())),
            LinkStatus::Inactive | LinkStatus::Completed => query,
        };
    }
    if let Some(order) = filter.order {
        query = query.filter(dsl::order_id.eq(order.to_string()));
    }
    if let Some(invoice) = filter.invoice {
        query = query.filter(dsl::invoice_id.eq(invoice.to_string()));
    }
    // Identifiers begin with their moment.
    if let Some(from) = filter.created_from {
        query = query.filter(dsl::id.ge(PaymentLinkId::least_at(from).to_string()));
    }
    if let Some(to) = filter.created_to {
        query = query.filter(dsl::id.lt(PaymentLinkId::least_at(to).to_string()));
    }
    query
}
/// Makes what leads to the page of an attempt.
pub(super) fn keep_attempt_token(
    tx: &mut Tx<'_>,
    vault: &Vault,
    account: AccountId,
    payment: PaymentId,
    now: Timestamp,
) -> QueryResult<()> {
    let target = target(LinkKind::Attempt, &payment.to_string());
    let link = Link::lasting(target, tokens::token(vault)?, ATTEMPT_DAYS, now);
    tokens::add(tx, vault, account, &link).map(drop)
}

/// Where the page of an attempt lies, below that of its link.
pub(super) fn page_of_attempt(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    payment: &Payment,
) -> QueryResult<Option<String>> {
    let Some((link, pages)) = payment.link.zip(payment.return_url.as_ref()) else {
        return Ok(payment.return_url.clone());
    };
    let mut token = |kind, id: &str| {
        let link = tokens::find(db, vault, account, &target(kind, id))?;
        QueryResult::Ok(link.map(|link| link.token))
    };
    let link = token(LinkKind::Payment, &link.to_string())?;
    let own = token(LinkKind::Attempt, &payment.id.to_string())?;
    Ok(link.zip(own).map(|(link, own)| format!("{pages}/{}/a/{}", link.reveal(), own.reveal())))
}

pub(super) fn token_of_attempt(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    payment: PaymentId,
    now: Timestamp,
) -> QueryResult<Option<Token>> {
    let link = tokens::find(db, vault, account, &target(LinkKind::Attempt, &payment.to_string()))?;
    Ok(link.filter(|link| !link.is_expired(now)).map(|link| link.token))
}
