//! The records of the embedded provider, for all documents that it has stamped meanwhile.

use std::collections::{HashMap, HashSet};

use ::invoices::sandbox::SandboxRecord;
use diesel::{QueryResult, RunQueryDsl, sql_types::Text};
use kernel::{AccountId, Done, Timestamp, Written};

use super::{Step, postgres};
use crate::{
    error::Failure,
    invoices::sandbox::{self, StampRow},
    statement::{Bound, Statement, columns},
    tx::Tx,
};

/// A stamp of the embedded provider that is to be kept, unless there is one of the same seal.
pub(in crate::invoices) struct Keeping {
    account: AccountId,
    record: SandboxRecord,
    row: StampRow,
}

impl Keeping {
    /// The step.
    ///
    /// # Errors
    /// When the record cannot be written down.
    pub(in crate::invoices) fn of(
        account: AccountId,
        record: SandboxRecord,
        now: Timestamp,
    ) -> QueryResult<Self> {
        let row = StampRow::of(account, &record, now)?;
        Ok(Self { account, record, row })
    }

    fn key(&self) -> (String, String) {
        (self.row.account_id.clone(), self.row.seal_digest.clone())
    }

    /// The record that is kept: that of whoever was first.
    fn kept(&self, is_own: bool, tx: &mut Tx<'_>) -> QueryResult<SandboxRecord> {
        let kept = match is_own {
            true => None,
            false => sandbox::by_seal(tx.db, self.account, &self.record.seal)?,
        };
        Ok(kept.unwrap_or_else(|| self.record.clone()))
    }
}

impl Step for Keeping {
    type Refusal = ();
    type Value = SandboxRecord;

    const IS_ONE_STATEMENT: bool = true;
    const NAME: &'static str = "stamps of the sandbox";

    fn place(&self) -> (u128, u128) {
        // Fiscal folios are random: of one account there are no two that lock each other's.
        (self.account.to_u128(), 0)
    }

    fn alone(&self, tx: &mut Tx<'_>) -> Result<Done<SandboxRecord>, Failure<()>> {
        let is_own = sandbox::keep(tx, &self.row)?;
        Ok(Done::now(self.kept(is_own, tx)?))
    }

    fn together(steps: &[&Self], tx: &mut Tx<'_>) -> QueryResult<Vec<Written<SandboxRecord, ()>>> {
        let mut known = HashMap::new();
        for (place, step) in steps.iter().enumerate() {
            known.entry(step.key()).or_insert(place);
        }
        let is_first = |place: usize, step: &Self| known.get(&step.key()) == Some(&place);
        let firsts = steps.iter().enumerate().filter(|(place, step)| is_first(*place, step));
        let rows: Vec<&StampRow> = firsts.map(|(_, step)| &step.row).collect();
        let columns = columns!(
            rows,
            Texts account_id, Texts seal_digest, Texts uuid, Texts record, Numbers created_at,
        );
        let insert = Statement::<(Text, Text)>::new(
            "INSERT INTO sandbox_stamps (account_id, seal_digest, uuid, record, created_at) SELECT w.* FROM ? w \
             ON CONFLICT DO NOTHING RETURNING account_id, seal_digest",
            [Bound::from(columns)],
        );
        let inserted: Vec<(String, String)> = insert.load(postgres(tx.db)?)?;
        let inserted: HashSet<(String, String)> = inserted.into_iter().collect();
        let mut outcomes = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            let is_own = is_first(place, step) && inserted.contains(&step.key());
            outcomes.push(Ok(Done::now(step.kept(is_own, tx)?)));
        }
        Ok(outcomes)
    }
}
