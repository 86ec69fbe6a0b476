//! Judges an order against what a shop offers, without server, database or runtime:
//! `cargo run -p orders --example price_an_order`.

#![allow(clippy::print_stdout, reason = "an example that shows its outcome")]

use kernel::{Amount, Currency, Decimals, Measure, Refusal, Timestamp};
use orders::{
    CustomerId, ItemSku, Offer, OrderId, PlaceItem, PlaceOrder, PriceBook, Sources, WarehouseId,
    order::ItemProductId, place, totals::usual_taxes,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let coffee = ItemSku { product: ItemProductId::from_u128(1), variant: None };
    let offer = Offer {
        sold: coffee,
        name: "Café de olla 250 g".to_owned(),
        sku: "CAFE-250".to_owned(),
        price: Amount::parse("89.90")?,
        listed: Vec::new(),
        currency: Currency::MXN,
        tax_included: true,
        taxes: Vec::new(),
        decimals: Decimals::Zero,
        available: 10,
        elsewhere: 0,
        others: Vec::new(),
        unit_cost: None,
        threshold: 5,
        on_sale: true,
    };
    let shelf = WarehouseId::from_u128(1);
    let sources = Sources { first: shelf, from: &[shelf] };
    for quantity in [3, 6, 12] {
        let items = vec![PlaceItem::new(coffee, Measure::whole(quantity))];
        let command = PlaceOrder::new(CustomerId::from_u128(1), items);
        let offered = |wanted: ItemSku| (wanted == coffee).then_some(&offer);
        let (id, now) = (OrderId::from_u128(1), Timestamp::from_micros(0));
        let (book, taxes) = (PriceBook::default(), usual_taxes(None));
        match place(&command, offered, sources, book, (&taxes, None), (id, 1), now) {
            Ok(placed) => {
                let low = !placed.low.is_empty();
                println!(
                    "{quantity}: {} {}, stock falls low: {low}",
                    placed.order.total, placed.order.currency
                );
            }
            Err(Refusal::Rule(refusal)) => println!("{quantity}: refused, {refusal:?}"),
            Err(Refusal::Invalid(faults)) => println!("{quantity}: wrong, {faults:?}"),
        }
    }
    Ok(())
}
