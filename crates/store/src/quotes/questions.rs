//! Questions about quotes, as rows.

use ::quotes::{AskQuestion, Question, QuestionId, QuoteError, QuoteId, Status, question_told};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Page, PageRequest, Refused, Timestamp};

use super::{Outcome, rows};
use crate::{
    db::Db,
    events,
    listing::{self, newest_first},
    rows::read,
    schema::quote_questions::{self as table, dsl},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct QuestionRow {
    account_id: String,
    root_id: String,
    id: String,
    quote_id: String,
    name: Option<String>,
    email: Option<String>,
    question: String,
    asked_at: i64,
}

impl QuestionRow {
    fn question(self) -> QueryResult<Question> {
        Ok(Question {
            id: read(&self.id, QuestionId::parse)?,
            quote: read(&self.quote_id, QuoteId::parse)?,
            name: self.name,
            email: self.email,
            text: self.question,
            at: Timestamp::from_micros(self.asked_at),
        })
    }
}

pub(super) fn ask(tx: &mut Tx<'_>, ctx: &Ctx, command: &AskQuestion) -> Outcome<QuestionId> {
    let quote = rows::plain(tx.db, ctx.account, command.quote)?.ok_or(Refused::NotFound)?;
    if quote.kept == Status::Draft {
        return Err(Refused::Rule(QuoteError::NotDraft { status: Status::Draft }).into());
    }
    let AskQuestion { name, email, text, .. } = command.clone();
    let id = QuestionId::from_u128(tx.ids.next());
    let question = Question { id, quote: quote.id, name, email, text, at: ctx.now };
    let row = QuestionRow {
        account_id: ctx.account.to_string(),
        root_id: quote.root.to_string(),
        id: id.to_string(),
        quote_id: quote.id.to_string(),
        name: question.name.clone(),
        email: question.email.clone(),
        question: question.text.clone(),
        asked_at: ctx.now.micros(),
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    events::append(tx, ctx.account, ctx.now, vec![question_told(&quote, &question)])?;
    Ok(id)
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    root: &str,
    page: &PageRequest,
) -> QueryResult<Page<Question>> {
    let all = || {
        table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::root_id.eq(root.to_owned()))
            .into_boxed()
    };
    let total = listing::total(page, || all().count().get_result(db))?;
    let rows = newest_first!(db, QuestionRow, dsl::id, page, all())?;
    let key = |row: &QuestionRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, page, total, "question", key, QuestionRow::question)
}
