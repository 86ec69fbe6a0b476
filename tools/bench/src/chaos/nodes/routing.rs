//! Orders by turns of the nodes, and by the key, over orders at one of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;

use super::cycle::Subject;
use super::promise::NodePromise;
use super::proxy::Routing;
use crate::benchmark::orders::OrderScript;
use crate::benchmark::shop::{self, Shop};
use crate::limits::ORDERED_PRODUCTS;
use crate::load::{Load, Tally, closed};
use crate::service::Tenant;
use crate::service::process::ServiceOptions;
use crate::statistics::float;

const ACCOUNTS: usize = 6;
const CONNECTIONS: usize = 48;
const WARM_UP: Duration = Duration::from_secs(1);
const DURATION: Duration = Duration::from_secs(3);

/// What was measured of one way to choose nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) routing: Routing,
    pub(super) orders_per_second: f64,
    /// Orders for each second of a processor that the nodes have used.
    pub(super) orders_per_processor_second: f64,
}

/// Accounts with products enough for any number of orders.
pub(super) async fn open_shops(
    options: &ServiceOptions,
    address: SocketAddr,
) -> anyhow::Result<Vec<Arc<Shop>>> {
    let mut shops = Vec::new();
    for _ in 0..ACCOUNTS {
        let tenant = Tenant::create(options)?;
        shops.push(Arc::new(shop::fill(address, &tenant.api_key, ORDERED_PRODUCTS).await?));
    }
    Ok(shops)
}

/// Measures each way once, each time beginning with another one.
pub(super) async fn compare(subject: &mut Subject<'_>) -> anyhow::Result<()> {
    let first = subject.measures.rates.len();
    let ways = Routing::ALL.iter().cycle().skip(first % Routing::ALL.len());
    let mut rates = Vec::new();
    for routing in ways.take(Routing::ALL.len()) {
        rates.push(measure(subject, *routing).await?);
    }
    subject.measures.rates.push(rates);
    Ok(())
}

async fn measure(subject: &mut Subject<'_>, routing: Routing) -> anyhow::Result<Rate> {
    place(subject, routing, WARM_UP).await?;
    let before = subject.fleet.processor_time()?;
    let tally = place(subject, routing, DURATION).await?;
    let used = subject.fleet.processor_time()?.saturating_sub(before).as_secs_f64();
    Ok(Rate {
        routing,
        orders_per_second: tally.rate(),
        orders_per_processor_second: float(tally.answers) / used.max(0.01),
    })
}

async fn place(
    subject: &mut Subject<'_>,
    routing: Routing,
    duration: Duration,
) -> anyhow::Result<Tally> {
    let address = subject.proxy.address(routing)?;
    let [first, ..] = subject.busy.as_slice() else { bail!("no account places orders") };
    let busy = &subject.busy;
    let script = |number: usize| OrderScript::new(busy.get(number % busy.len()).unwrap_or(first));
    let load = Load { address, connections: CONNECTIONS, duration };
    let tally = closed::run(load, script).await?;
    let is_sound = tally.errors == 0 && tally.replays == 0;
    subject.promises.check(NodePromise::NoFailedRequest, is_sound, || {
        let Tally { errors, replays, faults, .. } = &tally;
        format!("{}: {errors} failed, {replays} replayed: {faults:?}", routing.name())
    });
    Ok(tally)
}
