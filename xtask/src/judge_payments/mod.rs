//! `cargo xtask judge-payments`: payments through providers that nobody here has written, and signatures checked by the
//! providers' own libraries.
//!
//! The tests `payments::judged` run against the Python package `localstripe`, a server that plays Stripe, and compare what they
//! take for a genuine notification with what the packages `stripe` and `mercadopago` do.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::target_dir;
use crate::{python, test};

/// `skip` leaves the judges out, `require` fails where they cannot be had.
const WISH: &str = "TRASTIENDA_JUDGE_PAYMENTS";
/// Where the tests find the Python that has the packages.
const PYTHON: &str = "TRASTIENDA_JUDGE_PYTHON";
const TESTS: &str = "payments::judged::";
const PACKAGES: &[&str] = &["localstripe==1.15.10", "mercadopago==3.6.0", "stripe==16.1.0"];

/// Runs the tests, on both databases.
pub(crate) fn run() -> Result<()> {
    judge(&provide()?)
}

/// What the continuous integration judges. Where the judges cannot be had, it says so loudly and goes on, unless they are
/// required: a machine's lack is no fault of the payments.
pub(crate) fn sample() -> Result<()> {
    let wish = env::var(WISH).unwrap_or_default();
    if wish == "skip" {
        println!("!!! SKIPPED: {WISH}=skip, so NO payment has been judged by others !!!");
        return Ok(());
    }
    match provide() {
        Ok(python) => judge(&python),
        Err(error) if wish == "require" => Err(error),
        Err(error) => {
            println!("!!! NOT JUDGED: {error:#}; {WISH}=require makes this a failure !!!");
            Ok(())
        }
    }
}

fn provide() -> Result<PathBuf> {
    let packages: Vec<String> = PACKAGES.iter().map(|name| (*name).to_owned()).collect();
    python::provide(&target_dir()?.join("judge-payments/python"), &packages)
}

fn judge(python: &Path) -> Result<()> {
    test::run_with(&[TESTS.to_owned()], &[(PYTHON, python.as_os_str())])
        .context("the judges do not agree with us")
}
