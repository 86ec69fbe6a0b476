//! Rows about stamping: from a draft to a stamped invoice, by the embedded sandbox.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use tokio::task::JoinSet;

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::{Measured, Stage};
use crate::database::Database;
use crate::http::{Request, Response};
use crate::limits::openssl;
use crate::load::Script;
use crate::service::{ApiClient, Tenant};

const CONNECTIONS: [usize; 3] = [64, 16, 1];
/// How many connections make drafts.
const DRAFTING: usize = 16;
/// Drafts for the first run, whose rate nobody knows.
const FIRST_DRAFTS: usize = 4_000;
/// How many more drafts there are than the rate before would use up.
const RESERVE: f64 = 2.5;

const DRAFT: &str = r#"{"receiver":{"rfc":"URE180429TM6","legalName":"UNIVERSIDAD ROBOTICA ESPAÑOLA","taxZip":"86991","taxRegime":"601","cfdiUse":"G03"},"paymentForm":"03","items":[{"description":"Taza","satProductKey":"52152100","quantity":2,"unitPrice":58},{"description":"Plato","satProductKey":"52152000","quantity":1,"unitPrice":116}]}"#;

/// Stampings of drafts of two lines at three numbers of connections, beside what OpenSSL signs on one core.
pub(crate) fn rates(stage: &Stage<'_>) -> anyhow::Result<Vec<Line>> {
    let tenant = Tenant::create_test(&stage.options)?;
    let key: Arc<str> = tenant.api_key.into();
    let goal = match stage.database {
        Database::Sqlite { .. } => Goal::AtLeast(0.7),
        Database::Postgres { .. } => Goal::AtLeast(0.6),
    };
    let mut lines = Vec::new();
    for connections in CONNECTIONS {
        let mut enough = FIRST_DRAFTS;
        let service = || {
            let measured = run(stage, &key, connections, enough)?;
            let seconds = stage.bench.plan.duration().as_secs_f64();
            let wanted = (measured.tally.rate() * seconds * RESERVE).ceil();
            // Rates are far below what a usize holds.
            enough = (wanted as usize).max(200);
            Ok(measured)
        };
        let limit = || openssl::signatures(stage.bench.plan.seconds);
        let rounds = Rounds::alternate(&stage.bench.plan, service, limit)?;
        let what = format!("POST timbrar, {connections} connections");
        lines.push(rounds.rate_line(stage, what, Some(goal))?);
    }
    Ok(lines)
}

fn run(
    stage: &Stage<'_>,
    key: &Arc<str>,
    connections: usize,
    drafts: usize,
) -> anyhow::Result<Measured> {
    let made = stage.bench.runtime.block_on(draft(stage, key, drafts))?;
    let drafts = Arc::new(Mutex::new(made));
    stage.closed(connections, |_| StampScript { key: Arc::clone(key), drafts: Arc::clone(&drafts) })
}

/// Makes so many drafts.
async fn draft(stage: &Stage<'_>, key: &str, count: usize) -> anyhow::Result<Vec<String>> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut connections = JoinSet::new();
    for _ in 0..DRAFTING {
        let mut client = ApiClient::new(stage.service.address(), key);
        let next = Arc::clone(&next);
        connections.spawn(async move {
            let mut made = Vec::new();
            while next.fetch_add(1, Ordering::Relaxed) < count {
                made.push(client.create("/api/v1/invoices", DRAFT).await.context("a draft")?);
            }
            anyhow::Ok(made)
        });
    }
    let mut drafts = Vec::new();
    while let Some(made) = connections.join_next().await {
        drafts.extend(made??);
    }
    Ok(drafts)
}

/// Has one draft after the other stamped.
struct StampScript {
    key: Arc<str>,
    drafts: Arc<Mutex<Vec<String>>>,
}

impl Script for StampScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let draft = self.drafts.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // When they have run out, the answer is no stamped invoice, which is told.
        let path = format!("/api/v1/invoices/{}/timbrar", draft.unwrap_or_default());
        let mut request = Request::get(&path, Some(&self.key));
        request.method = "POST";
        request.render_into(bytes);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = String::from_utf8_lossy(response.body);
        let is_stamped = response.status == 200 && body.contains(r#""status":"stamped""#);
        if is_stamped { Ok(()) } else { Err(format!("not stamped: {} {body}", response.status)) }
    }
}
