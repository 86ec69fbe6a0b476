//! `trastienda payments`.

use std::sync::Arc;

use accounts::Accounts;
use anyhow::{Context, bail, ensure};
use api::SystemClock;
use clap::Subcommand;
use kernel::{AccountId, Amount, Currency, Timestamp};
use payments::{
    Payment, ProviderKind, Status,
    reconcile::{Compared, Totals, Verdict, Wanted, sums},
};

use super::{command::account_id, open};
use crate::{
    answers::{outcome, read},
    collecting::collecting,
    output,
    settings::Settings,
};

/// What can be done with payments.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum PaymentsCommand {
    /// Compare payments with what their providers list, and print what was found
    ///
    /// Nothing is changed; `POST /payments/{id}/sync` asks the provider about a payment. The service may run
    /// meanwhile. Exits with 1 if something differs.
    #[command(after_help = "\
Example:
  trastienda payments reconcile --account acc_01J... --from 2026-01-01T06:00:00Z --to 2026-02-01T06:00:00Z")]
    Reconcile {
        /// The account
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: AccountId,
        /// Payments asked for at this moment or later
        #[arg(long, value_name = "MOMENT", value_parser = moment)]
        from: Timestamp,
        /// And before this one, at most 31 days later
        #[arg(long, value_name = "MOMENT", value_parser = moment)]
        to: Timestamp,
        /// Only those of this provider
        #[arg(long, value_name = "PROVIDER", value_parser = provider)]
        provider: Option<ProviderKind>,
    },
}

fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).map_err(|problem| problem.to_string())
}

fn provider(text: &str) -> Result<ProviderKind, String> {
    let known = ProviderKind::EVERY.iter().find(|kind| kind.name() == text);
    known.copied().ok_or_else(|| {
        let names: Vec<_> = ProviderKind::EVERY.iter().map(|kind| kind.name()).collect();
        format!("must be one of {}", names.join(", "))
    })
}

pub(super) fn run(command: PaymentsCommand, settings: &Settings) -> anyhow::Result<()> {
    let PaymentsCommand::Reconcile { account, from, to, provider } = command;
    let mut wanted = Wanted::new(from, to, provider).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    let store = open::unsealing(settings)?;
    let missing = format!("no account {account}; see `trastienda account list`");
    ensure!(read(store.account(account))?.is_some(), "{missing}");
    let (collecting, _) = collecting(&settings.collectors(), &store, Arc::new(SystemClock))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start to call the providers")?;
    let mut rows = Vec::new();
    while wanted.from < wanted.to {
        let compared = runtime.block_on(collecting.reconciled(account, wanted.clone()));
        let compared = outcome(compared, &missing)?;
        for kind in compared.unlisted {
            output::note(format!(
                "{} offers no list, so its payments are not compared",
                kind.name()
            ));
        }
        rows.extend(compared.rows);
        wanted.from = compared.until;
    }
    show(&rows);
    let differing = rows.iter().filter(|row| row.verdict != Verdict::Matched).count();
    match differing {
        0 => Ok(()),
        _ => bail!(
            "{differing} of {} payments differ; POST /payments/{{id}}/sync asks the provider about one",
            rows.len()
        ),
    }
}

fn show(rows: &[Compared]) {
    let headings = ["OUTCOME", "PAYMENT", "PROVIDER", "REFERENCE", "HERE", "THERE", "DIFFERENCES"];
    output::table(headings, &rows.iter().map(payment).collect::<Vec<_>>());
    let headings = ["CURRENCY", "OUTCOME", "HERE", "THERE"];
    let totals = |totals: &Totals| {
        format!("{}: {} captured, {} refunded", totals.count, totals.captured, totals.refunded)
    };
    let groups = sums(rows).into_iter().map(|group| {
        let (currency, outcome) = (group.currency.to_string(), group.verdict.name().to_owned());
        [currency, outcome, totals(&group.here), totals(&group.there)]
    });
    output::table(headings, &groups.collect::<Vec<_>>());
}

/// A payment as a row: what we have, and what the provider has.
fn payment(row: &Compared) -> [String; 7] {
    let nothing = || "-".to_owned();
    let side = |status: Status, captured: Amount, refunded: Amount, currency: Currency| {
        format!("{} {captured} {currency}, {refunded} refunded", status.name())
    };
    let here = row.ours.as_ref().map(|ours| {
        let Payment { status, captured, currency, .. } = ours.payment;
        side(status, captured, ours.refunded_there(), currency)
    });
    let there = row.theirs.as_ref().map(|theirs| {
        side(theirs.status(), theirs.captured(), theirs.refunded(), theirs.seen.currency)
    });
    let differences: Vec<_> = row.differences.iter().map(|difference| difference.name()).collect();
    [
        row.verdict.name().to_owned(),
        row.ours.as_ref().map_or_else(nothing, |ours| ours.payment.id.to_string()),
        row.provider.name().to_owned(),
        row.theirs.as_ref().map_or_else(nothing, |theirs| theirs.seen.provider_ref.clone()),
        here.unwrap_or_else(nothing),
        there.unwrap_or_else(nothing),
        differences.join(", "),
    ]
}
