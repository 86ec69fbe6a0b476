//! Quotes as rows.

use std::collections::HashMap;

use ::links::{LinkKind, Target, Token};
use ::orders::OrderId;
use ::quotes::{CustomerId, DealId, PaymentLinkId, Quote, QuoteId, Status};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Day, Timestamp};

use crate::{
    db::{Db, all_locked, first_locked, on},
    figures, links as tokens,
    lookups::Key,
    rows::{corrupt, read, read_name, read_optional},
    schema::quotes::{self as table, dsl},
    statement::update,
    stored::{QuoteDetails, from_text, to_text},
    tx::Tx,
    vault::Vault,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub(super) struct QuoteRow {
    account_id: String,
    pub(super) id: String,
    pub(super) root_id: String,
    number: i64,
    revision: i64,
    status: String,
    customer_id: String,
    deal_id: Option<String>,
    order_id: Option<String>,
    payment_link_id: Option<String>,
    valid_until: String,
    expires_at: i64,
    details: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl QuoteRow {
    pub(super) fn of(account: AccountId, quote: &Quote) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            id: quote.id.to_string(),
            root_id: quote.root.to_string(),
            number: quote.number,
            revision: quote.revision.into(),
            status: quote.kept.name().to_owned(),
            customer_id: quote.customer.to_string(),
            deal_id: quote.deal.map(|id| id.to_string()),
            order_id: quote.order.map(|id| id.to_string()),
            payment_link_id: quote.link.map(|id| id.to_string()),
            valid_until: quote.valid_until.to_string(),
            expires_at: quote.expires_at().micros(),
            details: to_text(&QuoteDetails::of(quote))?,
            created_at: quote.created_at.micros(),
            updated_at: quote.updated_at.micros(),
            version: quote.version,
        })
    }

    pub(super) fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    /// The quote, without what its holder sees it with.
    pub(super) fn quote(self) -> Result<Quote, DieselError> {
        let details: QuoteDetails = from_text(&self.details)?;
        Ok(Quote {
            id: read(&self.id, QuoteId::parse)?,
            root: read(&self.root_id, QuoteId::parse)?,
            number: self.number,
            revision: u32::try_from(self.revision).map_err(|_| corrupt("a revision below 1"))?,
            kept: read_name(&self.status, Status::EVERY, Status::name)?,
            customer: read(&self.customer_id, CustomerId::parse)?,
            deal: read_optional(self.deal_id, DealId::parse)?,
            acceptance: details.acceptance(),
            problem: details.problem(),
            title: details.title,
            notes: details.notes,
            offered: details.offered.into(),
            valid_until: read(&self.valid_until, Day::parse)?,
            zone: details.zone,
            wants_link: details.wants_link,
            token: None,
            metadata: details.metadata,
            sent_at: details.sent_at,
            rejected_at: details.rejected_at,
            reject_reason: details.reject_reason,
            order: read_optional(self.order_id, OrderId::parse)?,
            link: read_optional(self.payment_link_id, PaymentLinkId::parse)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// What the link of a quote leads to.
pub(super) fn target(root: &str) -> Target {
    Target { kind: LinkKind::Quote, subject: root.to_owned() }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: QuoteId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

/// A quote as it is shown.
pub(super) fn shown(row: QuoteRow, token: Option<Token>) -> QueryResult<Quote> {
    let token = token.ok_or_else(|| corrupt(format!("{} has no token", row.root_id)))?;
    Ok(Quote { token: Some(token), ..row.quote()? })
}

fn with_token(row: QuoteRow, db: &mut Db, vault: &Vault, account: AccountId) -> QueryResult<Quote> {
    let link = tokens::find(db, vault, account, &target(&row.root_id))?;
    shown(row, link.map(|link| link.token))
}

pub(super) fn by_id(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: QuoteId,
) -> QueryResult<Option<Quote>> {
    let row: Option<QuoteRow> =
        this(account, id).select(QuoteRow::as_select()).first(db).optional()?;
    row.map(|row| with_token(row, db, vault, account)).transpose()
}

/// The first revision of a quote.
pub(super) fn root_of(db: &mut Db, account: AccountId, id: QuoteId) -> QueryResult<Option<String>> {
    this(account, id).select(dsl::root_id).first(db).optional()
}

/// The newest revision that is not a draft.
pub(super) fn offered(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    root: QuoteId,
) -> QueryResult<Option<Quote>> {
    let row: Option<QuoteRow> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::root_id.eq(root.to_string()))
        .filter(dsl::status.ne(Status::Draft.name()))
        .order(dsl::revision.desc())
        .select(QuoteRow::as_select())
        .first(db)
        .optional()?;
    row.map(|row| with_token(row, db, vault, account)).transpose()
}

/// All revisions of a quote, locked in their order until the end of the transaction, of which one is named: that one and the
/// others. Revisions lock each other, so that one of them is accepted.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: QuoteId,
) -> QueryResult<Option<(Quote, Vec<Quote>)>> {
    let Some(root) = root_of(tx.db, account, id)? else { return Ok(None) };
    // The first one of all is locked before the others, whatever else is done.
    let first =
        table::table.filter(dsl::account_id.eq(account.to_string())).filter(dsl::id.eq(&root));
    if first_locked!(tx.db, QuoteRow, first)?.is_none() {
        return Ok(None);
    }
    let all = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::root_id.eq(&root))
        .order(dsl::revision);
    let rows = all_locked!(tx.db, QuoteRow, all)?;
    let (mut named, mut others) = (None, Vec::new());
    for row in rows {
        let quote = row.quote()?;
        if quote.id == id {
            named = Some(quote);
        } else {
            others.push(quote);
        }
    }
    Ok(named.map(|named| (named, others)))
}

pub(super) fn insert(tx: &mut Tx<'_>, account: AccountId, quote: &Quote) -> QueryResult<()> {
    let row = QuoteRow::of(account, quote)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    tx.effects.count(figures::QUOTES_CREATED, 1);
    Ok(())
}

pub(super) fn save(tx: &mut Tx<'_>, account: AccountId, quote: &Quote) -> QueryResult<()> {
    let row = QuoteRow::of(account, quote)?;
    let update = update!(
        "quotes", row as QuoteRow,
        set root_id, number, revision, status, customer_id, deal_id, order_id, payment_link_id, valid_until, expires_at, details,
            created_at, updated_at, version;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

pub(super) fn delete(tx: &mut Tx<'_>, account: AccountId, id: QuoteId) -> QueryResult<()> {
    diesel::delete(this(account, id)).execute(tx.db).map(drop)
}

/// The tokens of these quotes, by their first revisions.
pub(super) fn tokens_of(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    rows: &[QuoteRow],
) -> QueryResult<HashMap<String, Token>> {
    let roots: Vec<&str> = rows.iter().map(|row| row.root_id.as_str()).collect();
    tokens::tokens(db, vault, account, LinkKind::Quote, &roots)
}

/// A quote, whether or not it was sent, without what its holder sees it with.
pub(super) fn plain(db: &mut Db, account: AccountId, id: QuoteId) -> QueryResult<Option<Quote>> {
    let row: Option<QuoteRow> =
        this(account, id).select(QuoteRow::as_select()).first(db).optional()?;
    row.map(QuoteRow::quote).transpose()
}
