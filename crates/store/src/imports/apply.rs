//! A batch of rows: what there is of what they are about is loaded, each is judged on what the ones before it have left,
//! and all that comes of it is recorded, with how far the import is, or nothing.

use ::imports::{
    Applied, Batch, Code, Counts, ERRORS_MAX, ImportStopped, Judging, KEPT_BYTES_MAX, Key, Mode,
    OnError, Problem, Shelf, Verdict,
};
use diesel::prelude::*;
use kernel::Refused;

use super::errors::{self, ErrorRow};
use crate::{
    catalog::bulk, db::on, error::Failure, schema::imports::dsl, statement::Statement, tx::Tx,
};

/// What has become of the rows of a batch.
#[derive(Default)]
struct Judged {
    verdicts: Vec<Option<Verdict>>,
    counts: Counts,
    errors: Vec<ErrorRow>,
}

pub(super) fn apply(tx: &mut Tx<'_>, batch: &Batch) -> Result<Applied, Failure<ImportStopped>> {
    let keys: Vec<Key> = batch
        .rows
        .iter()
        .filter_map(|row| row.wanted.as_ref().ok())
        .flat_map(::imports::Wanted::keys)
        .collect();
    let products = bulk::found_by(tx, batch.account, keys.iter())?;
    let threshold = bulk::threshold_of(tx.db, batch.account)?;
    let ids = tx.ids;
    let (import, mode) = (batch.import, batch.options.mode);
    let judging = Judging { import, mode, threshold, ids, now: batch.now };
    let mut shelf = Shelf::new(products, judging);
    let judged = judge(batch, &mut shelf)?;
    if !batch.options.dry_run {
        bulk::record(tx, batch.account, batch.now, shelf)?;
    }
    errors::insert(tx.db, &judged.errors)?;
    let so_far = advance(tx, batch, &judged)?.ok_or(Refused::Rule(ImportStopped))?;
    let (counts, kept_bytes) = so_far;
    let is_full = counts.failed + counts.warned > ERRORS_MAX || kept_bytes > KEPT_BYTES_MAX;
    Ok(Applied { verdicts: judged.verdicts, counts, is_full })
}

fn judge(batch: &Batch, shelf: &mut Shelf<'_>) -> QueryResult<Judged> {
    let mut judged = Judged::default();
    for row in batch.rows.iter() {
        let verdict = match &row.wanted {
            Ok(wanted) => {
                let verdict = shelf.judge(wanted);
                verdict
                    .or_else(|problems| imagined(batch, problems))
                    .map(|verdict| (verdict, wanted))
            }
            Err(problems) => Err(problems.clone()),
        };
        let counts = &mut judged.counts;
        counts.processed += 1;
        match verdict {
            Ok((verdict, wanted)) => {
                match verdict {
                    Verdict::Created => counts.created += 1,
                    Verdict::Updated => counts.updated += 1,
                    Verdict::Unchanged => counts.unchanged += 1,
                }
                counts.warned += u64::from(!wanted.warnings.is_empty());
                let warnings = errors::rows_of(batch, row.number, &wanted.warnings, &row.cells)?;
                judged.errors.extend(warnings);
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

/// In a dry run a variant may belong to a product that an earlier batch would have created.
fn imagined(batch: &Batch, problems: Vec<Problem>) -> Result<Verdict, Vec<Problem>> {
    let is_there = |problem: &Problem| {
        problem.code == Code::ParentNotFound && batch.imagined.contains(&problem.value)
    };
    let is_created = batch.options.dry_run
        && batch.options.mode != Mode::Update
        && problems.iter().all(is_there);
    if is_created { Ok(Verdict::Created) } else { Err(problems) }
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
