//! What the demo shop may sell: deals in their pipeline, and a quote that waits for its customer.

use catalog::Product;
use crm::{
    Act, ActOnDeal, Activities, ActivityKind, CustomerId, Deal, DealStatus, Deals, NewActivity,
    NewDeal, Pipelines, deal::Beside,
};
use kernel::{AccountId, Amount, Ctx, Currency, Measure, Metadata, Timestamp};
use orders::{Discount, ItemSku, PlaceItem, order::ItemProductId};
use quotes::{NewQuote, Quotes, SendQuote};
use store::Store;

use super::shop::GONE;
use crate::answers::{read, written};

/// A title, a value in pesos, and which of the open stages the deal has come to.
const DEALS: &[(&str, i64, usize)] = &[
    ("Café para la oficina de Torres y Asociados", 18_500, 2),
    ("Canastas navideñas", 42_000, 1),
    ("Vajilla para el restaurante La Milpa", 27_300, 1),
    ("Regalos para un congreso", 9_800, 0),
];
const WON: (&str, i64) = ("Tazas con logotipo", 12_600);
const NOTES: &str = "Entrega en 5 días hábiles. Precios en pesos mexicanos.";
/// How many of each product are quoted.
const QUANTITY: Measure = Measure::whole(12);
const DAY_SECONDS: i64 = 86_400;

struct Sales<'a> {
    store: &'a Store,
    account: AccountId,
    customer: CustomerId,
    now: Timestamp,
}

/// Makes deals, something to do about one of them, and its quote.
pub(super) fn prepare(
    store: &Store,
    account: AccountId,
    customer: CustomerId,
    sold: &[&Product],
    now: Timestamp,
) -> anyhow::Result<()> {
    let sales = Sales { store, account, customer, now };
    let mut first = None;
    for (title, pesos, stage) in DEALS {
        let deal = sales.deal(title, *pesos)?;
        sales.advance(&deal, *stage)?;
        first.get_or_insert(deal);
    }
    let won = sales.deal(WON.0, WON.1)?;
    sales.act(&won, Act::Win { stage: None })?;
    if let Some(deal) = first {
        sales.call(&deal)?;
        sales.quote(&deal, sold)?;
    }
    Ok(())
}

impl Sales<'_> {
    fn ctx(&self) -> Ctx {
        Ctx::system(self.account, self.now)
    }

    fn deal(&self, title: &str, pesos: i64) -> anyhow::Result<Deal> {
        let deals: &dyn Deals = self.store;
        let command = NewDeal {
            title: title.to_owned(),
            value: Amount::from_micros(pesos * 1_000_000),
            currency: Currency::MXN,
            pipeline: None,
            stage: None,
            customer: Some(self.customer),
            lead: None,
            owner: None,
            expected_close: None,
        };
        written(deals.create(self.ctx(), command), GONE)
    }

    fn act(&self, deal: &Deal, act: Act) -> anyhow::Result<Deal> {
        let deals: &dyn Deals = self.store;
        written(deals.act(self.ctx(), ActOnDeal { id: deal.id, act }), GONE)
    }

    /// Moves a deal to one of the open stages.
    fn advance(&self, deal: &Deal, stage: usize) -> anyhow::Result<()> {
        let pipelines: &dyn Pipelines = self.store;
        let pipelines = read(pipelines.all(self.account))?;
        let stages = pipelines.iter().flat_map(|pipeline| &pipeline.stages);
        let open = stages.filter(|stage| stage.kind == DealStatus::Open).nth(stage);
        let Some(open) = open.filter(|open| deal.stage() != Some(open.id)) else { return Ok(()) };
        let act = Act::Move { stage: open.id, beside: Beside::Last, reason: None };
        self.act(deal, act).map(drop)
    }

    fn call(&self, deal: &Deal) -> anyhow::Result<()> {
        let activities: &dyn Activities = self.store;
        let command = NewActivity {
            kind: ActivityKind::Call,
            subject: "Preguntar por la cotización".to_owned(),
            notes: None,
            due_at: Some(self.now.plus_seconds(DAY_SECONDS)),
            is_done: false,
            assignee: None,
            deal: Some(deal.id),
            lead: None,
            customer: Some(self.customer),
        };
        written(activities.create(self.ctx(), command), GONE).map(drop)
    }

    fn quote(&self, deal: &Deal, sold: &[&Product]) -> anyhow::Result<()> {
        let quotes: &dyn Quotes = self.store;
        let items = sold.iter().take(2).map(|product| {
            let product = ItemProductId::from_u128(product.id.to_u128());
            let item = PlaceItem::new(ItemSku { product, variant: None }, QUANTITY);
            PlaceItem { discount: Some(Discount::Percent(Amount::from_micros(5_000_000))), ..item }
        });
        let command = NewQuote {
            customer: None,
            deal: Some(quotes::DealId::from_u128(deal.id.to_u128())),
            title: Some(deal.title.clone()),
            notes: Some(NOTES.to_owned()),
            items: items.collect(),
            discount: None,
            shipping: None,
            valid_until: None,
            wants_link: false,
            metadata: Metadata::default(),
        };
        let quote = written(quotes.create(self.ctx(), command), GONE)?;
        written(quotes.send(self.ctx(), SendQuote { id: quote.id, version: None }), GONE).map(drop)
    }
}
