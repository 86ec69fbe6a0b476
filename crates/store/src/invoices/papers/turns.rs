//! Papers of one invoice, one after the other.

use ::invoices::papers::{self, Step};
use ::tasks::{Pause, Task};
use diesel::QueryResult;
use kernel::{Timestamp, message, reason::Reason};

use super::Outcome;
use crate::{payments, tasks, tx::Tx};

/// Puts a paper off whose turn it is not; what has become of it, then.
pub(super) fn waits(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> Outcome<Option<Step>> {
    let mut others = payments::papers::beside(tx.db, task)?;
    while let Some(earlier) = papers::waits_for(task, &others, now) {
        // Locked, so that who ends meanwhile sees who waits.
        let earlier = tasks::locked(tx, task.account, earlier.id)?;
        if papers::waits_for(task, earlier.as_slice(), now).is_some() {
            return put_off(tx, task, &others, now).map(Some);
        }
        // It has ended meanwhile, and another may come between.
        others = payments::papers::beside(tx.db, task)?;
    }
    Ok(None)
}

fn put_off(tx: &mut Tx<'_>, task: &Task, others: &[Task], now: Timestamp) -> Outcome<Step> {
    let Some(own) = tasks::held(tx, task)? else { return Ok(Step::Lost) };
    let reason = Reason::OwnWords.in_both(&message!(
        "another document of the same invoice is made first",
        "primero se hace otro documento de la misma factura"
    ));
    let seconds = papers::wait_seconds(task, others);
    let pause = Pause { seconds, is_doubtful: false, reason };
    let after = own.clone().put_off(&pause, now);
    Ok(if tasks::save_over(tx, &own, &after)? { Step::Waits } else { Step::Lost })
}

/// Has the next paper of the invoice made, now that one has ended.
pub(super) fn pass_on(tx: &mut Tx<'_>, ended: &Task, now: Timestamp) -> QueryResult<()> {
    let others = payments::papers::beside(tx.db, ended)?;
    if let Some((seen, due)) = papers::next_turn(&others, now)
        && tasks::save_over(tx, seen, &due)?
    {
        tasks::wake(tx, ended.account);
    }
    Ok(())
}
