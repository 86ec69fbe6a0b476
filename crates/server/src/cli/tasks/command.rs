//! The commands about tasks and their help.

use std::path::PathBuf;

use clap::Subcommand;
use kernel::AccountId;
use tasks::{TaskId, TaskKind};

use super::super::command::{account_id, one_line};

/// What can be done with tasks.
#[derive(Debug, Subcommand)]
pub enum TasksCommand {
    /// List the tasks of all accounts that are not done, those first that are due first
    ///
    /// One line per task: its id, account, kind, subject, status, attempts, when it is due and how its last
    /// attempt ended.
    #[command(after_help = "\
Examples:
  trastienda tasks list --attempts-min 5
  trastienda tasks list --account acc_01J... --kind invoices.stamp")]
    List {
        /// Only of this account
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: Option<AccountId>,
        /// Only of this kind, such as invoices.stamp or invoices.cancel_withholding
        #[arg(long, value_name = "KIND", value_parser = kind)]
        kind: Option<&'static str>,
        /// Only those with so many attempts or more
        #[arg(long, value_name = "N", default_value_t = 0)]
        attempts_min: u32,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// Show a task and what operators did about it
    #[command(after_help = "\
Example:
  trastienda tasks show tsk_01J...")]
    Show {
        /// The task's id, see `trastienda tasks list`
        #[arg(value_name = "TASK", value_parser = task_id)]
        task: TaskId,
    },
    /// Make a task due now
    #[command(after_help = "\
Example:
  trastienda tasks retry tsk_01J...")]
    Retry {
        /// The task's id, see `trastienda tasks list`
        #[arg(value_name = "TASK", value_parser = task_id)]
        task: TaskId,
    },
    /// Give a task up for good
    ///
    /// An invoice that was being stamped becomes a draft again, and its credits are returned. Make sure first
    /// that the provider has not stamped it: a stamp that is found later cannot be attached any more. A request
    /// to cancel an invoice can be abandoned only if it was certainly never sent.
    #[command(after_help = "\
Example:
  trastienda tasks abandon tsk_01J... --note 'Not on the website of the provider, ticket 4711'")]
    Abandon {
        /// The task's id, see `trastienda tasks list`
        #[arg(value_name = "TASK", value_parser = task_id)]
        task: TaskId,
        /// Why, for the audit log; the account sees it as the invoice's last error
        #[arg(long, value_name = "TEXT", value_parser = one_line)]
        note: String,
    },
    /// Record the stamped XML that the provider shows on its website
    ///
    /// The stamp must be of the very document that was sealed. The invoice is stamped then, its credits are
    /// spent, and the task is done.
    #[command(after_help = "\
Example:
  trastienda tasks attach tsk_01J... --xml stamped.xml --note 'From the website of the provider'")]
    Attach {
        /// The task's id, see `trastienda tasks list`
        #[arg(value_name = "TASK", value_parser = task_id)]
        task: TaskId,
        /// File with the stamped XML
        #[arg(long, value_name = "FILE")]
        xml: PathBuf,
        /// Where it comes from, for the audit log
        #[arg(long, value_name = "TEXT", value_parser = one_line)]
        note: String,
    },
}

fn task_id(text: &str) -> Result<TaskId, String> {
    TaskId::parse(text).ok_or_else(|| {
        "must be a task id such as tsk_01JD3V9QK4W8N2RZ6T5B7C0XEA, see `trastienda tasks list`"
            .to_owned()
    })
}

fn kind(text: &str) -> Result<&'static str, String> {
    let kinds = || tasks::KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
    TaskKind::named(text).map(|kind| kind.name).ok_or_else(|| format!("the kinds are {}", kinds()))
}
