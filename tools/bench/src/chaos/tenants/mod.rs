//! A good account beside a hostile one: how much longer the good one waits, and what the service needs.

mod attacks;

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kernel::threads::give_way;

use crate::arguments::ChaosOptions;
use crate::benchmark::orders::OrderScript;
use crate::benchmark::shop;
use crate::database::Database;
use crate::http::Request;
use crate::load::{self, Load, Tally, closed, open};
use crate::process_usage::memory;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service, Tenant};

use attacks::{AttackScript, Attacks};

/// Whose seal the hostile account says it hands in.
const ISSUER: &str = r#"{"rfc":"EKU9003173C9","legalName":"ESCUELA KEMPER URGATE","taxRegime":"601","taxZip":"06600"}"#;
const PRODUCTS: u32 = 1_000;
/// Orders that the good account places each second, of a shop with a good day.
const ORDERS_PER_SECOND: f64 = 50.0;
const GOOD_CONNECTIONS: usize = 16;
const HOSTILE_CONNECTIONS: usize = 32;
const SECONDS: u64 = 10;
/// The good account may wait at most so many times as long as by itself.
const SLOWER_MAX: f64 = 3.0;
const MEMORY_MIB_MAX: u64 = 200;

/// Runs both on one database and prints what held; whether everything did. Each cycle measures the good account by
/// itself and then beside the hostile one.
pub(super) fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let folder = directory.folder(&database.name().to_lowercase())?;
    let service = ServiceOptions::new(&options.surroundings.binary, database.url(), &folder)?;
    let runtime = load::generator()?;
    runtime.block_on(async {
        // The first start migrates the database, which the administration needs.
        let running = Service::start(&service)?;
        let mut shops = Vec::new();
        for _ in 0..2 {
            let tenant = Tenant::create(&service)?;
            shops.push(Arc::new(shop::fill(running.address(), &tenant.api_key, PRODUCTS).await?));
        }
        let [good, hostile] = shops.as_slice() else { anyhow::bail!("two shops were made") };
        let request =
            Request::with_body("PUT", "/api/v1/invoices/cfdi/issuer", &hostile.api_key, ISSUER);
        let answer =
            ApiClient::new(running.address(), &hostile.api_key).exchange(&request.render()).await;
        let answer = answer.map_err(|lost| anyhow::anyhow!("the issuer: {}", lost.0))?;
        anyhow::ensure!(answer.status == 200, "the issuer: {}", answer.excerpt());
        let attacks = Attacks::of(hostile, &options.attacks)?;
        let duration = Duration::from_secs(SECONDS);
        let load = |connections| Load { address: running.address(), connections, duration };
        let orders =
            || open::run(load(GOOD_CONNECTIONS), ORDERS_PER_SECOND, |_| OrderScript::new(good));
        // The first answers pay for what the others find ready.
        orders().await?;
        let mut rounds = Vec::new();
        for cycle in 1..=options.cycles {
            eprintln!("chaos: {} cycle {cycle} of {}", database.name(), options.cycles);
            let alone = orders().await?;
            let attackers = attack(load(HOSTILE_CONNECTIONS), attacks.clone(), seed);
            let beside = orders().await?;
            let attacked = attackers.join();
            let attacked = attacked.map_err(|_| anyhow::anyhow!("the attackers panicked"))??;
            rounds.push(Round { alone, beside, attacked });
        }
        let peak_mib = memory(running.pid())?.peak_kib / 1_024;
        let verdict = Verdict::of(&rounds, peak_mib);
        println!("\n{}: {}", database.name(), verdict.text);
        Ok(verdict.holds)
    })
}

/// Attacks from a thread of their own, so that the good account's client waits for nothing but answers.
fn attack(load: Load, attacks: Attacks, seed: u64) -> JoinHandle<anyhow::Result<Tally>> {
    thread::spawn(move || {
        give_way();
        let script = |number: usize| AttackScript::new(&attacks, seed + number as u64);
        load::generator()?.block_on(closed::run(load, script))
    })
}

/// What one cycle measured.
struct Round {
    alone: Tally,
    beside: Tally,
    attacked: Tally,
}

struct Verdict {
    holds: bool,
    text: String,
}

impl Verdict {
    fn of(rounds: &[Round], peak_mib: u64) -> Self {
        let p99 = |tally: &Tally| tally.latency(0.99).as_secs_f64() * 1e3;
        let mut ratios: Vec<f64> =
            rounds.iter().map(|round| p99(&round.beside) / p99(&round.alone)).collect();
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::INFINITY);
        let errors: u64 =
            rounds.iter().map(|round| round.beside.errors + round.attacked.errors).sum();
        let faults = rounds.iter().flat_map(|round| [&round.beside, &round.attacked]);
        let faults = faults.flat_map(|tally| &tally.faults).take(3).cloned().collect::<Vec<_>>();
        let attacks: u64 = rounds.iter().map(|round| round.attacked.answers).sum();
        let shown: Vec<String> = rounds
            .iter()
            .map(|round| format!("{:.1} → {:.1} ms", p99(&round.alone), p99(&round.beside)))
            .collect();
        Self {
            holds: median <= SLOWER_MAX && peak_mib <= MEMORY_MIB_MAX && errors == 0,
            text: format!(
                "p99 of {ORDERS_PER_SECOND} orders/s beside {attacks} hostile requests: {} (median ratio {median:.1}, \
                 at most {SLOWER_MAX}); peak memory {peak_mib} MiB (at most {MEMORY_MIB_MAX}); {errors} errors {}",
                shown.join(", "),
                faults.join("; ")
            ),
        }
    }
}
