//! Waiting for what the store owes, and saying in a sentence why it did not come.

use std::fmt::Debug;

use anyhow::{anyhow, bail};
use kernel::{Done, Fault, Pending, Refused, Written};

/// Waits for an answer.
pub(crate) fn waited<T>(pending: Pending<T>) -> anyhow::Result<T> {
    pending.wait().ok_or_else(|| anyhow!("the store closed before it answered"))
}

/// Waits for what was read.
pub(crate) fn read<T>(pending: Pending<Result<T, Fault>>) -> anyhow::Result<T> {
    waited(pending)?.map_err(explained)
}

/// Waits for what was written; `missing` is said when it concerns something that is not there.
pub(crate) fn written<T, E: Debug>(
    pending: Pending<Written<T, E>>,
    missing: &str,
) -> anyhow::Result<T> {
    outcome(waited(pending)?, missing)
}

/// What was written, or why it was not.
pub(crate) fn outcome<T, E: Debug>(answer: Written<T, E>, missing: &str) -> anyhow::Result<T> {
    match answer {
        Ok(Done { value, .. }) => Ok(value),
        Err(Refused::NotFound) => bail!("{missing}"),
        Err(Refused::Fault(fault)) => Err(explained(fault)),
        Err(Refused::Invalid(faults)) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            bail!("{}", faults.join("; "))
        }
        Err(refused) => bail!("refused: {refused:?}"),
    }
}

fn explained(fault: Fault) -> anyhow::Error {
    match fault {
        Fault::Unavailable(why) => anyhow!("the database is currently unavailable: {why}"),
        Fault::Internal(why) => anyhow!(
            "unexpected database error: {why}; if the database is new or was last used by an older \
             version, run `trastienda migrate`"
        ),
    }
}
