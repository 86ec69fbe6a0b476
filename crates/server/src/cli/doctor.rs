//! `trastienda doctor`: whether an installation is well, and what to do where it is not.

use anyhow::bail;
use api::{Clock, SystemClock};
use store::{Finding, Verdict};

use crate::{mailing::Mailing, master_key, output, settings::Settings, tls::Tls};

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Whatever renews certificates does so a month before they end: two weeks later it has failed.
const CERTIFICATE_ENDS_WITHIN_DAYS: i64 = 14;

/// Prints a line for each thing that was looked at.
///
/// # Errors
/// When one of them is a failure.
pub(super) fn examine(settings: &Settings) -> anyhow::Result<()> {
    let mut findings = vec![mail(settings)];
    findings.extend(https(settings));
    // A key that cannot be had is a finding; the rest of the database can be looked at without.
    let store = match master_key::existing(settings) {
        Ok(master_keys) => store::Settings { master_keys, ..settings.store() },
        Err(error) => {
            findings.push(Finding::failure("master key", format!("{error:#}")));
            settings.store()
        }
    };
    findings.extend(store::examine(&store, SystemClock.now()));
    for Finding { subject, verdict, text } in &findings {
        output::say(format!("{:<8} {subject:<13} {text}", name(*verdict)));
    }
    let count = |wanted| findings.iter().filter(|finding| finding.verdict == wanted).count();
    match count(Verdict::Failure) {
        0 => Ok(()),
        1 => bail!("there is 1 failure"),
        failures => bail!("there are {failures} failures"),
    }
}

const fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fine => "ok",
        Verdict::Warning => "warning",
        Verdict::Failure => "failure",
    }
}

fn mail(settings: &Settings) -> Finding {
    match settings.mail() {
        Ok(Mailing { server: Some(_), .. }) => Finding::fine("mail", "a mail server is set"),
        Err(error) => Finding::failure("mail", error.to_string()),
        Ok(Mailing { server: None, .. }) => {
            let text = "no mail server is set (smtp_url, mail_from): invoices cannot be emailed";
            Finding::warning("mail", text)
        }
    }
}

fn https(settings: &Settings) -> Option<Finding> {
    let tls = match Tls::from_settings(settings) {
        Ok(tls) => tls?,
        Err(error) => return Some(Finding::failure("https", format!("{error:#}"))),
    };
    let left =
        tls.ends_at().map(|end| (end - SystemClock.now().micros() / 1_000_000) / DAY_SECONDS);
    Some(match left {
        None => Finding::failure("https", "the certificate cannot be read"),
        Some(days) if days < 0 => {
            Finding::failure("https", "the certificate has ended: replace it and send SIGHUP")
        }
        Some(days) if days < CERTIFICATE_ENDS_WITHIN_DAYS => {
            Finding::warning("https", format!("the certificate ends in {days} days"))
        }
        Some(days) => Finding::fine("https", format!("the certificate ends in {days} days")),
    })
}
