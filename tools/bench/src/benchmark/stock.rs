//! Rows about stock in several warehouses: what it costs an order that may take from any of them, and a product that is
//! read.

use std::sync::Arc;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::orders::{CONNECTIONS, OrderScript};
use crate::benchmark::reads::ProductReads;
use crate::benchmark::rounds::Rounds;
use crate::benchmark::shop::{self, Shop};
use crate::benchmark::stage::{Measured, Stage};
use crate::service::{ApiClient, Tenant};

/// Of an account that sells from several, its first one included.
const WAREHOUSES: usize = 5;
/// Of each product in each further warehouse: more than any run takes from one.
const STOCK: u32 = 10_000_000;
/// The most lines of one adjustment.
const LINES_MAX: usize = 500;
const ORDER_GOAL: Goal = Goal::AtLeast(0.8);
const GET_GOAL: Goal = Goal::AtLeast(0.95);

/// Where the products of an account lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Every product in every warehouse, so that the first one ships every order.
    Everywhere,
    /// Every product in one of them, by turns, so that most orders are shipped by two.
    Apart,
}

/// An account whose orders may take from any of its warehouses.
struct Chain {
    account_id: String,
    shop: Arc<Shop>,
    layout: Layout,
}

/// Orders and products of accounts with several warehouses, each over those of an account with one, in alternation.
pub(crate) fn measure(stage: &Stage<'_>) -> anyhow::Result<Vec<Line>> {
    let everywhere = Chain::open(stage, Layout::Everywhere)?;
    let apart = Chain::open(stage, Layout::Apart)?;
    stage.database.analyze()?;
    let mut lines = vec![everywhere.product_line(stage)?];
    for connections in [CONNECTIONS, 16, 1] {
        lines.push(everywhere.order_line(stage, connections)?);
        lines.push(apart.order_line(stage, connections)?);
    }
    everywhere.require_layout(stage)?;
    apart.require_layout(stage)?;
    Ok(lines)
}

impl Chain {
    fn open(stage: &Stage<'_>, layout: Layout) -> anyhow::Result<Self> {
        let Stage { bench, options, service, .. } = stage;
        let Tenant { account_id, api_key } = Tenant::create(options)?;
        let products = u32::try_from(stage.shop.product_ids.len())?;
        let shop = bench.runtime.block_on(async {
            let shop = shop::fill(service.address(), &api_key, products).await?;
            let mut client = ApiClient::new(service.address(), &api_key);
            let mut further = Vec::new();
            for number in 2..=WAREHOUSES {
                let warehouse =
                    json!({"name": format!("Sucursal {number}"), "priority": 100 + number});
                further.push(client.create("/api/v1/warehouses", &warehouse.to_string()).await?);
            }
            for lines in layout.adjustments(&shop.product_ids, &further).chunks(LINES_MAX) {
                let adjustment = json!({"reason": "correction", "items": lines}).to_string();
                client.create("/api/v1/stock/adjustments", &adjustment).await?;
            }
            client.put("/api/v1/stock/settings", r#"{"allocation":"anyAvailable"}"#).await?;
            anyhow::Ok(shop)
        })?;
        Ok(Self { account_id, shop: Arc::new(shop), layout })
    }

    fn product_line(&self, stage: &Stage<'_>) -> anyhow::Result<Line> {
        let (own, other) = (ProductReads::of(&self.shop), ProductReads::of(&stage.shop));
        let rounds = Rounds::alternate(
            &stage.bench.plan,
            || own.measure(stage),
            || right_rate(&other.measure(stage)?),
        )?;
        let what = format!(
            "GET one product with stock in {WAREHOUSES} warehouses over one, {CONNECTIONS} connections"
        );
        rounds.rate_line(stage, what, Some(GET_GOAL))
    }

    fn order_line(&self, stage: &Stage<'_>, connections: usize) -> anyhow::Result<Line> {
        let place = |shop: &Arc<Shop>| stage.closed(connections, |_| OrderScript::new(shop));
        let rounds = Rounds::alternate(
            &stage.bench.plan,
            || place(&self.shop),
            || right_rate(&place(&stage.shop)?),
        )?;
        let what = format!(
            "POST order from any of {WAREHOUSES} warehouses over the default one, {}, {connections} connections",
            self.layout.name()
        );
        rounds.rate_line(stage, what, Some(ORDER_GOAL))
    }

    /// Where the orders did take from: what comes from the first warehouse alone has no row.
    fn require_layout(&self, stage: &Stage<'_>) -> anyhow::Result<()> {
        let Self { account_id, layout, .. } = self;
        let count =
            format!("SELECT COUNT(*) FROM order_allocations WHERE account_id = '{account_id}'");
        let count = stage.database.query(&count)?.into_iter().flatten().next();
        let count: u64 = count.context("no count")?.parse()?;
        let is_so = match layout {
            Layout::Everywhere => count == 0,
            Layout::Apart => count > 0,
        };
        ensure!(is_so, "orders of {layout:?} took from other warehouses {count} times");
        Ok(())
    }
}

impl Layout {
    const fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "every product in each",
            Self::Apart => "each product in one of them",
        }
    }

    /// What makes this of an account whose products are all in its first warehouse.
    fn adjustments(self, products: &[String], further: &[String]) -> Vec<Value> {
        let mut lines = Vec::new();
        for (number, product) in products.iter().enumerate() {
            match self {
                Self::Everywhere => {
                    lines.extend(further.iter().map(|warehouse| put(product, warehouse)));
                }
                // One product in five stays where it is.
                Self::Apart => {
                    let place = (number % WAREHOUSES).checked_sub(1);
                    if let Some(warehouse) = place.and_then(|place| further.get(place)) {
                        lines.push(put(product, warehouse));
                        lines.push(json!({"productId": product, "countedQuantity": 0}));
                    }
                }
            }
        }
        lines
    }
}

/// The line of an adjustment that puts a product into a warehouse.
fn put(product: &str, warehouse: &str) -> Value {
    json!({"productId": product, "warehouseId": warehouse, "delta": STOCK})
}

/// Answers a second of what others are measured over, all of which must be right.
fn right_rate(measured: &Measured) -> anyhow::Result<f64> {
    let tally = &measured.tally;
    ensure!(tally.errors == 0 && tally.replays == 0, "wrong answers: {:?}", tally.faults);
    Ok(tally.rate())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_lie_where_the_layout_says() {
        let named = |prefix: &str, count: usize| -> Vec<String> {
            (1..=count).map(|number| format!("{prefix}{number}")).collect()
        };
        let (products, further) = (named("prd_", 10), named("whs_", WAREHOUSES - 1));
        assert_eq!(Layout::Everywhere.adjustments(&products, &further).len(), 40);
        let apart = Layout::Apart.adjustments(&products, &further);
        // Of ten products two stay; the others come to another warehouse and leave the first.
        assert_eq!(apart.len(), 16);
        assert_eq!(
            apart[..2],
            [
                json!({"productId": "prd_2", "warehouseId": "whs_1", "delta": STOCK}),
                json!({"productId": "prd_2", "countedQuantity": 0})
            ]
        );
    }
}
