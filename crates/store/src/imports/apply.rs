//! A batch of rows: what there is of what they are about is loaded, each is judged on what the ones before it have left,
//! and all that comes of it is recorded, with how far the import is, or nothing.

use ::imports::{
    Applied, Batch, Counts, ERRORS_MAX, ImportKind, ImportStopped, KEPT_BYTES_MAX, OnError,
    PREVIEW_ROWS, PreviewRow, Problem, Verdict, Wanted,
};
use diesel::prelude::*;
use kernel::Refused;

use super::{
    customers,
    errors::{self, ErrorRow},
    products, stock,
};
use crate::{
    db::on,
    error::Failure,
    figures,
    schema::imports::dsl,
    statement::Statement,
    stored::{from_text, to_text},
    tx::Tx,
};

/// What has become of the rows of a batch.
#[derive(Default)]
pub(super) struct Judged {
    verdicts: Vec<Option<Verdict>>,
    counts: Counts,
    errors: Vec<ErrorRow>,
}

pub(super) fn apply(tx: &mut Tx<'_>, batch: &Batch) -> Result<Applied, Failure<ImportStopped>> {
    let judged = match batch.kind {
        ImportKind::Products => products::apply(tx, batch)?,
        ImportKind::Customers => customers::apply(tx, batch)?,
        ImportKind::Stock => stock::apply(tx, batch)?,
    };
    let so_far = advance(tx, batch, &judged)?.ok_or(Refused::Rule(ImportStopped))?;
    let (counts, kept_bytes) = so_far;
    tx.effects.count(figures::IMPORT_ROWS, judged.counts.processed);
    tx.effects.count(figures::IMPORT_ROWS_REFUSED, judged.counts.failed);
    let mut told = judged.errors;
    if counts.warned > ERRORS_MAX {
        // Warnings stop no import; beyond this many they are counted, not kept.
        told.retain(|row| !row.is_warning());
    }
    errors::insert(tx.db, &told)?;
    if batch.options.dry_run {
        show(tx, batch, &judged.verdicts)?;
    }
    let is_full = counts.failed > ERRORS_MAX || kept_bytes > KEPT_BYTES_MAX;
    Ok(Applied { verdicts: judged.verdicts, counts, is_full })
}

/// Judges the rows of a batch, one after the other, by their places in it and what they want: what becomes of each, and what
/// its author may want to know of that.
pub(super) fn judge(
    batch: &Batch,
    mut judge: impl FnMut(usize, &Wanted) -> Result<(Verdict, Vec<Problem>), Vec<Problem>>,
) -> QueryResult<Judged> {
    let mut judged = Judged::default();
    for (place, row) in batch.rows.iter().enumerate() {
        let verdict = match &row.wanted {
            Ok(wanted) => judge(place, wanted)
                .map(|(verdict, more)| (verdict, [wanted.warnings(), more.as_slice()].concat())),
            Err(problems) => Err(problems.clone()),
        };
        let counts = &mut judged.counts;
        counts.processed += 1;
        match verdict {
            Ok((verdict, warnings)) => {
                match verdict {
                    Verdict::Created => counts.created += 1,
                    Verdict::Updated => counts.updated += 1,
                    Verdict::Unchanged => counts.unchanged += 1,
                }
                counts.warned += u64::from(!warnings.is_empty());
                judged.errors.extend(errors::rows_of(batch, row.number, &warnings, &row.cells)?);
                judged.verdicts.push(Some(verdict));
            }
            Err(problems) => {
                counts.failed += 1;
                judged.errors.extend(errors::rows_of(batch, row.number, &problems, &row.cells)?);
                judged.verdicts.push(None);
                if batch.options.on_error == OnError::Abort {
                    break;
                }
            }
        }
    }
    Ok(judged)
}

/// Shows the rows of a dry run, if they are among the first of it.
fn show(tx: &mut Tx<'_>, batch: &Batch, verdicts: &[Option<Verdict>]) -> QueryResult<()> {
    if batch.from >= PREVIEW_ROWS as u64 {
        return Ok(());
    }
    let own = || super::this(batch.account.to_string(), batch.import.to_string());
    let shown: Option<String> = own().select(dsl::preview).first(tx.db)?;
    let shown: Option<Vec<PreviewRow>> = shown.as_deref().map(from_text).transpose()?;
    let mut shown = shown.unwrap_or_default();
    let more = batch.rows.iter().zip(verdicts).map(|(row, verdict)| row.preview(*verdict));
    shown.extend(more.take(PREVIEW_ROWS.saturating_sub(shown.len())));
    let preview = dsl::preview.eq(Some(to_text(&shown)?));
    diesel::update(own()).set(preview).execute(tx.db).map(drop)
}

/// Rows of a batch are of its kind.
pub(super) fn of_another_kind() -> Vec<Problem> {
    vec![Problem::of_row(::imports::Code::Refused)]
}

/// Records how far the import is, if nobody else has and it has not ended: what has become of all rows so far, and how many
/// bytes of them are kept.
fn advance(tx: &mut Tx<'_>, batch: &Batch, judged: &Judged) -> QueryResult<Option<(Counts, u64)>> {
    const SQL: &str = "UPDATE imports SET processed = processed + ?, created = created + ?, updated = updated + ?, \
        unchanged = unchanged + ?, failed = failed + ?, warned = warned + ?, kept_bytes = kept_bytes + ?, \
        updated_at = ? WHERE account_id = ? AND id = ? AND processed = ? AND state = 'running'";
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let Counts { processed, created, updated, unchanged, failed, warned } = judged.counts;
    let update = Statement::<()>::new(
        SQL,
        [
            number(processed).into(),
            number(created).into(),
            number(updated).into(),
            number(unchanged).into(),
            number(failed).into(),
            number(warned).into(),
            errors::kept_bytes(&judged.errors).into(),
            batch.now.micros().into(),
            batch.account.to_string().into(),
            batch.import.to_string().into(),
            number(batch.from).into(),
        ],
    );
    if on!(&mut *tx.db, |conn| update.execute(conn))? == 0 {
        return Ok(None);
    }
    let counts: (i64, i64, i64, i64, i64, i64, i64) =
        super::this(batch.account.to_string(), batch.import.to_string())
            .select((
                dsl::processed,
                dsl::created,
                dsl::updated,
                dsl::unchanged,
                dsl::failed,
                dsl::warned,
                dsl::kept_bytes,
            ))
            .first(tx.db)?;
    let kept_bytes = counts.6.unsigned_abs();
    let counts = Counts {
        processed: counts.0.unsigned_abs(),
        created: counts.1.unsigned_abs(),
        updated: counts.2.unsigned_abs(),
        unchanged: counts.3.unsigned_abs(),
        failed: counts.4.unsigned_abs(),
        warned: counts.5.unsigned_abs(),
    };
    Ok(Some((counts, kept_bytes)))
}
