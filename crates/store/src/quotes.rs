//! Quotes: drafting, sending, and what comes of their acceptance, each in one transaction.

mod accepting;
mod drafting;
mod list;
mod questions;
mod rows;
mod sweep;

pub(crate) use drafting::{judged, send};
pub(crate) use sweep::Expired;

use ::quotes::{
    AcceptQuote, AskQuestion, NewQuote, Question, QuestionId, Quote, QuoteChanges, QuoteError,
    QuoteId, QuoteQuery, Quotes, RejectQuote, SendQuote,
};
use kernel::{AccountId, Ctx, Done, Fault, Page, PageRequest, Pending, Refused, Written};

use crate::{
    answers,
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
    tx::Tx,
    vault::Vault,
};

/// What a command about quotes comes to.
type Outcome<T> = Result<T, Failure<QuoteError>>;

impl Store {
    /// Runs a command of which a quote comes, once for every idempotency key. A repeat is answered with the quote as it is
    /// by then.
    fn write_quote<F>(&self, ctx: Ctx, work: F) -> Pending<Written<Quote, QuoteError>>
    where
        F: Fn(&mut Tx<'_>, &Ctx, &Vault) -> Outcome<Quote> + Send + 'static,
    {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let done = answers::once(tx, &ctx, |tx| Ok(work(tx, &ctx, &vault)?.id))?;
            let Done { value: id, replayed } = done;
            let value = rows::by_id(tx.db, &vault, ctx.account, id)?.ok_or(Refused::NotFound)?;
            Ok(Done { value, replayed })
        })
    }
}

impl Quotes for Store {
    fn get(&self, account: AccountId, id: QuoteId) -> Pending<Result<Option<Quote>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| rows::by_id(db, &vault, account, id))
    }

    fn offered(&self, account: AccountId, root: QuoteId) -> Pending<Result<Option<Quote>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| rows::offered(db, &vault, account, root))
    }

    fn list(&self, account: AccountId, query: QuoteQuery) -> Pending<Result<Page<Quote>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::quotes(db, &vault, account, &query))
        })
    }

    fn create(&self, ctx: Ctx, command: NewQuote) -> Pending<Written<Quote, QuoteError>> {
        self.write_quote(ctx, move |tx, ctx, vault| drafting::create(tx, vault, ctx, &command))
    }

    fn update(
        &self,
        ctx: Ctx,
        id: QuoteId,
        version: Option<i64>,
        changes: QuoteChanges,
    ) -> Pending<Written<Quote, QuoteError>> {
        self.write_quote(ctx, move |tx, ctx, _| drafting::update(tx, ctx, (id, version), &changes))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: QuoteId,
        version: Option<i64>,
    ) -> Pending<Written<QuoteId, QuoteError>> {
        self.write(ctx, move |tx, ctx| drafting::delete(tx, ctx, id, version))
    }

    fn send(&self, ctx: Ctx, command: SendQuote) -> Pending<Written<QuoteId, QuoteError>> {
        self.write(ctx, move |tx, ctx| drafting::send(tx, ctx, &command))
    }

    fn accept(&self, ctx: Ctx, command: AcceptQuote) -> Pending<Written<Quote, QuoteError>> {
        self.write_quote(ctx, move |tx, ctx, vault| accepting::accept(tx, vault, ctx, &command))
    }

    fn order(&self, ctx: Ctx, id: QuoteId) -> Pending<Written<Quote, QuoteError>> {
        self.write_quote(ctx, move |tx, ctx, vault| accepting::order(tx, vault, ctx, id))
    }

    fn reject(&self, ctx: Ctx, command: RejectQuote) -> Pending<Written<Quote, QuoteError>> {
        self.write_quote(ctx, move |tx, ctx, _| drafting::reject(tx, ctx, &command))
    }

    fn revise(&self, ctx: Ctx, id: QuoteId) -> Pending<Written<Quote, QuoteError>> {
        self.write_quote(ctx, move |tx, ctx, _| drafting::revise(tx, ctx, id))
    }

    fn ask(&self, ctx: Ctx, command: AskQuestion) -> Pending<Written<QuestionId, QuoteError>> {
        self.write(ctx, move |tx, ctx| questions::ask(tx, ctx, &command))
    }

    fn questions(
        &self,
        account: AccountId,
        id: QuoteId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<Question>>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| match rows::root_of(db, account, id)? {
                Some(root) => questions::list(db, account, &root, &page).map(Some),
                None => Ok(None),
            })
        })
    }
}
