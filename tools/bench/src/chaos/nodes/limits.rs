//! A limit that all nodes count together, and by themselves once nobody counts for them.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::task::JoinSet;
use tokio::{task, time};

use super::counting::Counting;
use super::cycle::Subject;
use super::fleet::{Fleet, NODES};
use super::promise::NodePromise;
use crate::http::Request;
use crate::service::{ApiClient, SpareKey};

const LIMITS_URL: &str = "TRASTIENDA_LIMITS_URL";
/// Of the key: all at once, and then one a minute.
pub(super) const RATE_PER_HOUR: u64 = 60;
/// Clients at each node, each of which asks so often, over half a second.
const CLIENTS: usize = 10;
const ASKS: usize = 10;
const ASK_INTERVAL: Duration = Duration::from_millis(50);
/// Until all nodes know of each other, or find the server again.
const MEETING: Duration = Duration::from_secs(3);

/// How the answers to the requests of one key were divided.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    passed: u64,
    refused: u64,
    others: u64,
}

/// Has three further nodes on the same database asked more often than a key may, with a server that counts for them,
/// without, and with it again. They are nodes of their own because counting costs each request of the others something.
pub(super) async fn limit(subject: &mut Subject<'_>) -> anyhow::Result<()> {
    let folder = subject.folder.join("limited");
    std::fs::create_dir_all(&folder)?;
    let Some(mut counting) = Counting::start(&folder)? else {
        eprintln!(
            "chaos: LIMITS OVER SEVERAL NODES ARE NOT TRIED: neither valkey-server nor redis-server is \
             installed (Debian: apt-get install redis-server)"
        );
        return Ok(());
    };
    let fleet = Fleet::start(&subject.options.with(LIMITS_URL, &counting.url()), &folder)?;
    for is_counted in [true, false, true] {
        time::sleep(MEETING).await;
        if !is_counted {
            counting.kill()?;
        }
        let answers = burst(subject, &fleet).await?;
        let Answers { passed, refused, others } = answers;
        let is_sound = others == 0 && passed + refused == (NODES * CLIENTS * ASKS) as u64;
        subject.promises.check(NodePromise::LimitsAnswer, is_sound, || format!("{answers:?}"));
        if is_counted {
            subject.measures.passed_together.push(passed);
        } else {
            subject.measures.passed_alone.push(passed);
            counting.start_again()?;
        }
    }
    Ok(())
}

/// Sends the requests of a new key to all nodes at the same time.
async fn burst(subject: &Subject<'_>, fleet: &Fleet) -> anyhow::Result<Answers> {
    let shop = subject.shops.first().context("there is no account")?;
    let (options, account) = (subject.options.clone(), shop.tenant.account_id.clone());
    let rate = RATE_PER_HOUR.to_string();
    let create = move || SpareKey::create(&options, &account, &["--rate-per-hour", rate.as_str()]);
    let key = task::spawn_blocking(create).await??;
    let mut clients = JoinSet::new();
    for address in fleet.addresses() {
        for number in 0..CLIENTS {
            let delay = ASK_INTERVAL * u32::try_from(number)? / u32::try_from(CLIENTS)?;
            clients.spawn(ask(address, key.api_key.clone(), delay));
        }
    }
    let mut all = Answers::default();
    while let Some(asked) = clients.join_next().await {
        let Answers { passed, refused, others } = asked?;
        all.passed += passed;
        all.refused += refused;
        all.others += others;
    }
    ensure!(all.passed > 0, "no request passed: {all:?}");
    Ok(all)
}

async fn ask(address: SocketAddr, api_key: String, delay: Duration) -> Answers {
    let mut client = ApiClient::new(address, &api_key);
    let request = Request::get("/api/v1/products?limit=1", Some(&api_key)).render();
    let mut answers = Answers::default();
    time::sleep(delay).await;
    let mut ticks = time::interval(ASK_INTERVAL);
    for _ in 0..ASKS {
        ticks.tick().await;
        match client.exchange(&request).await {
            Ok(answer) if answer.status == 200 => answers.passed += 1,
            Ok(answer) if answer.status == 429 => answers.refused += 1,
            Ok(_) | Err(_) => answers.others += 1,
        }
    }
    answers
}
